"""Names the image by its digest in ``action.yml``: the only difference between a release and the commit it is made of.

python3 image/pin.py sha256:0123...
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ACTION = Path(__file__).resolve().parent.parent / "action.yml"
FROM_SOURCE = "  image: Dockerfile\n"
RELEASED = "  image: docker://ghcr.io/review-bot/review-bot@{digest}\n"


def pin(text: str, digest: str) -> str:
    """Return ``action.yml`` with the image named by digest. Raises ValueError if that is not to be had."""
    if not re.fullmatch(r"sha256:[0-9a-f]{64}", digest):
        raise ValueError(f"{digest!r} is not the digest of an image")
    if text.count(FROM_SOURCE) != 1:
        raise ValueError("action.yml does not say `image: Dockerfile` once; it is pinned already")
    return text.replace(FROM_SOURCE, RELEASED.format(digest=digest))


if __name__ == "__main__":
    ACTION.write_text(pin(ACTION.read_text(encoding="utf-8"), sys.argv[1]), encoding="utf-8")
