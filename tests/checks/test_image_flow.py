"""Pictures that are followed through a function, from where they are read to where they are used."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

HEAD = "import cv2\nimport numpy as np\nimport torch\nimport torchvision\nfrom PIL import Image\n\n\n"


@pytest.mark.parametrize(
    ("body", "fires"),
    [
        ("return Image.fromarray(cv2.imread(path))", True),
        ("a = cv2.imread(path)\n    b = a / 255\n    return torch.from_numpy(b)", True),
        (
            "frames = []\n    v = cv2.VideoCapture(path)\n    frames.append(v.read()[1])\n    return torch.tensor(frames)",
            True,
        ),
        ("a = cv2.imread(path)[:, :, ::-1]\n    return torch.from_numpy(a.copy())", False),
        ("a = cv2.imread(path, cv2.IMREAD_UNCHANGED)\n    return Image.fromarray(a)", False),
        ("a = cv2.imread(path)\n    cv2.imwrite(path, a)\n    return torch.tensor(weights)", False),
    ],
)
def test_the_order_of_colours(body: str, fires: bool) -> None:
    assert len(findings_of("multimodal/cv2-bgr", f"{HEAD}def load(path, weights):\n    {body}\n")) == fires


@pytest.mark.parametrize(
    ("body", "fires"),
    [
        ("return np.asarray(Image.open(path))", True),
        ("with Image.open(path) as image:\n        small = image.resize(size)\n        return np.array(small)", True),
        ("return np.array(Image.open(path).convert('RGB'))", False),
        ("image = Image.open(path)\n    return np.array([image.width, 1]), image.mode", False),
        ("return np.array(values)", False),
    ],
)
def test_the_mode_of_an_image(body: str, fires: bool) -> None:
    assert len(findings_of("multimodal/image-mode", f"{HEAD}def load(path, size, values):\n    {body}\n")) == fires


@pytest.mark.parametrize(
    ("body", "fires"),
    [
        ("v, _, _ = torchvision.io.read_video(path)\n    return v[torch.linspace(0, len(v) - 1, n).long()]", True),
        ("v = path.get_batch(range(len(path)))\n    i = np.arange(0, 9, n)\n    return v[i]", True),
        ("i = np.arange(0, len(path), n)\n    return path.get_batch(i)", False),
        ("v, _, _ = torchvision.io.read_video(path)\n    return v[0]", False),
    ],
)
def test_frames_decoded_and_dropped(body: str, fires: bool) -> None:
    text = f"{HEAD}def load(path, n):\n    {body}\n"

    assert len(findings_of("multimodal/all-frames-in-memory", text)) == fires
