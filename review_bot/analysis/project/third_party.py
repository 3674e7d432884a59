"""Which distribution brings an import name: what differs from "the same name", and what comes along with a parent.

Our own short tables; a name that is not here stands for a distribution of its own name.
"""

from __future__ import annotations

import re


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


DISTRIBUTIONS: dict[str, tuple[str, ...]] = {
    "attr": ("attrs",),
    "absl": ("absl-py",),
    "bs4": ("beautifulsoup4",),
    "Crypto": ("pycryptodome",),
    "cv2": ("opencv-python", "opencv-python-headless", "opencv-contrib-python", "opencv-contrib-python-headless"),
    "cuda": ("cuda-python",),
    "cupy": ("cupy-cuda11x", "cupy-cuda12x", "cupy-cuda13x"),
    "dateutil": ("python-dateutil",),
    "decord": ("decord", "decord2", "eva-decord"),
    "docx": ("python-docx",),
    "dotenv": ("python-dotenv",),
    "faiss": ("faiss-cpu", "faiss-gpu"),
    "fitz": ("pymupdf",),
    "flash_attn": ("flash-attn",),
    "git": ("gitpython",),
    "github": ("pygithub",),
    "google": ("protobuf", "googleapis-common-protos", "google-api-core", "google-auth", "google-genai"),
    "grpc": ("grpcio",),
    "huggingface_hub": ("huggingface-hub",),
    "jose": ("python-jose",),
    "jwt": ("pyjwt",),
    "magic": ("python-magic",),
    "markdown": ("markdown",),
    "MySQLdb": ("mysqlclient",),
    "OpenGL": ("pyopengl",),
    "OpenSSL": ("pyopenssl",),
    "openssl": ("pyopenssl",),
    "PIL": ("pillow",),
    "pkg_resources": ("setuptools",),
    "pptx": ("python-pptx",),
    "prometheus_client": ("prometheus-client",),
    "psycopg2": ("psycopg2-binary",),
    "pynvml": ("nvidia-ml-py", "nvidia-ml-py3"),
    "pythoncom": ("pywin32",),
    "serial": ("pyserial",),
    "skimage": ("scikit-image",),
    "sklearn": ("scikit-learn",),
    "socketio": ("python-socketio",),
    "soundfile": ("soundfile", "pysoundfile"),
    "tensorflow": ("tensorflow-cpu", "tensorflow-gpu", "tf-nightly"),
    "torch": ("torch", "pytorch"),
    "torch_npu": ("torch-npu",),
    "websocket": ("websocket-client",),
    "wx": ("wxpython",),
    "yaml": ("pyyaml",),
    "zmq": ("pyzmq",),
}
"""Import name → distributions that bring it, in normalised spelling."""

COME_ALONG: dict[str, frozenset[str]] = {
    "vllm": _words(
        "torch torchvision torchaudio transformers tokenizers numpy msgspec pyyaml pillow pydantic fastapi "
        "uvicorn aiohttp requests tqdm psutil regex cachetools protobuf openai prometheus-client tiktoken "
        "huggingface-hub cloudpickle triton xgrammar outlines-core lark partial-json-parser pyzmq filelock "
        "einops scipy ray numba gguf blake3 py-cpuinfo sentencepiece compressed-tensors depyf watchfiles "
        "python-json-logger opencv-python-headless six setuptools typing-extensions mistral-common "
        "safetensors ninja setproctitle pybase64 cbor2 httpx starlette packaging jinja2 networkx sympy "
        "xformers flashinfer-python anyio diskcache llguidance uvloop"
    ),
    "sglang": _words(
        "torch torchvision torchaudio transformers tokenizers numpy msgspec pyyaml pillow pydantic fastapi "
        "uvicorn aiohttp requests tqdm psutil pyzmq scipy uvloop setproctitle orjson einops huggingface-hub "
        "triton xgrammar outlines interegular partial-json-parser prometheus-client openai tiktoken soundfile "
        "packaging safetensors"
    ),
    "diffusers": _words(
        "huggingface-hub numpy pillow regex requests safetensors filelock importlib-metadata httpx tqdm "
        "pyyaml packaging typing-extensions"
    ),
    "transformers": _words(
        "huggingface-hub numpy packaging pyyaml regex requests safetensors tokenizers tqdm filelock typing-extensions"
    ),
    "accelerate": _words("torch numpy packaging psutil pyyaml huggingface-hub safetensors jinja2 sympy networkx"),
    "torch": _words("numpy sympy networkx jinja2 fsspec filelock typing-extensions triton mpmath"),
    "torchvision": _words("torch numpy pillow"),
    "librosa": _words(
        "numpy scipy scikit-learn numba soundfile soxr joblib decorator pooch audioread lazy-loader msgpack"
    ),
    "gradio": _words(
        "fastapi uvicorn httpx pydantic numpy pandas pillow pyyaml jinja2 starlette huggingface-hub aiofiles "
        "anyio typer websockets orjson packaging python-multipart ruff semantic-version tomlkit"
    ),
    "fastapi": _words("starlette pydantic typing-extensions anyio"),
    "pytest": _words("pluggy iniconfig packaging"),
    "openai": _words("httpx pydantic anyio tqdm typing-extensions sniffio jiter distro"),
    "httpx": _words("anyio certifi httpcore idna sniffio h11"),
    "requests": _words("urllib3 certifi idna charset-normalizer"),
    "pandas": _words("numpy python-dateutil pytz"),
    "omegaconf": _words("pyyaml antlr4-python3-runtime"),
    "ray": _words("msgpack protobuf pyyaml requests packaging filelock jsonschema click"),
    "aiohttp": _words("yarl multidict attrs frozenlist aiosignal"),
    "scikit-learn": _words("numpy scipy joblib threadpoolctl"),
    "matplotlib": _words("numpy pillow python-dateutil packaging"),
}
"""Distribution → distributions that it installs too, and that its users therefore import without a declaration."""

WELL_KNOWN = _words(
    "accelerate aiohttp apex boto3 click datasets deepspeed diffusers einops evaluate fastapi flash_attn "
    "flask gradio httpx huggingface_hub jax jinja2 librosa lightning matplotlib megatron mmcv modelscope "
    "mpi4py msgspec networkx numpy nvidia openai pandas peft pip pkg_resources pydantic pytest ray redis regex "
    "requests rich safetensors scipy sentence_transformers setuptools sglang starlette tensorrt timm "
    "tokenizers torch torchaudio torchvision tqdm transformers triton trl typer uvicorn versioneer vllm wandb wheel "
    "xformers"
) | frozenset(DISTRIBUTIONS)
"""Import names of well-known distributions, which a folder of the same name in a repository may shadow or not."""


def normalised(name: str) -> str:
    """Return the name of a distribution in the spelling in which names are compared (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def distributions_of(top: str) -> tuple[str, ...]:
    """Return the distributions, normalised, that may bring a top-level import name."""
    return DISTRIBUTIONS.get(top, (normalised(top),))
