"""Where the ast-grep command of the same version as the binding is: beside the Python that runs the tests."""

from __future__ import annotations

import os
import sys

AST_GREP = os.path.join(os.path.dirname(sys.executable), "ast-grep")
