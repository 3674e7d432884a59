"""Calls that libraries reject, and the versions for which they do."""

from __future__ import annotations

from pathlib import Path

import pytest

from review_bot.checks.api import library_misfit, library_name_gone
from review_bot.contracts import contract_store
from review_bot.contracts.contract_file import compile_contracts
from tests.rule_cases import findings_of

RULE = "api/library-misfit"
PROXIES = "import httpx\n\nclient = httpx.AsyncClient(proxies={})\n"


@pytest.mark.parametrize(
    ("manifest", "text", "found"),
    [
        ("requirements.txt", "httpx\n", 1),
        ("requirements.txt", "httpx>=0.20\n", 1),
        ("requirements.txt", "httpx==0.28.1\n", 1),
        ("requirements.txt", "httpx==0.27.2\n", 0),
        ("requirements.txt", "httpx>=0.20,<0.28\n", 0),
        ("requirements.txt", "httpx~=0.27\n", 0),
        ("requirements.txt", "pytest-httpx==0.20\n", 1),
        ("requirements.txt", "# httpx<0.28\n", 1),
        ("setup.py", "setup(install_requires=['httpx[http2] <= 0.27'])\n", 0),
        ("pyproject.toml", '[tool.poetry.dependencies]\nhttpx = "^0.27"\n', 0),
        ("pyproject.toml", '[tool.poetry.dependencies]\nhttpx = {version = "<0.28", extras = ["http2"]}\n', 0),
    ],
)
def test_an_older_version_of_the_base_excuses_the_call(manifest: str, text: str, found: int) -> None:
    assert len(findings_of(RULE, {"engine/a.py": PROXIES}, {manifest: text})) == found


def test_a_change_cannot_excuse_its_own_call() -> None:
    changed = {"engine/a.py": PROXIES, "requirements.txt": "httpx<0.28\n"}
    assert findings_of(RULE, changed, {"requirements.txt": "httpx\n", "pyproject.toml": 'dependencies = ["httpx"]\n'})
    added = {"engine/a.py": PROXIES, "requirements-old.txt": "httpx<0.28\n"}
    assert findings_of(RULE, added, {"requirements.txt": "httpx\n"})


def test_a_bound_that_a_change_sets_wherever_the_library_is_named_counts() -> None:
    changed = {"engine/a.py": PROXIES, "requirements.txt": "httpx<0.28\n"}
    assert not findings_of(RULE, changed, {"requirements.txt": "httpx\n"})


def test_a_bound_that_a_change_lifts_does_not_count() -> None:
    changed = {"engine/a.py": PROXIES, "requirements.txt": "httpx>=0.28\n"}
    assert findings_of(RULE, changed, {"requirements.txt": "httpx<0.28\n"})


def test_a_package_of_the_repository_is_no_library() -> None:
    assert not findings_of(RULE, {"httpx/__init__.py": "class AsyncClient: ...\n", "run.py": PROXIES})


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("import asyncio\nasync def f():\n    await asyncio.wait_for(g())", "does not pass `timeout`"),
        ("import asyncio\nasync def f():\n    ts = [g()]\n    await asyncio.gather(ts)", "`ts` is a `list`"),
        ("import asyncio\nasync def f():\n    p = asyncio.gather(g())\n    asyncio.create_task(p)", "`asyncio.Future`"),
        ("import logging\nlogging.basicConfig(fmt='x')", "unknown keyword argument `fmt`"),
        ("import subprocess\nsubprocess.run('x', capture_output=True, stderr=1)", "`capture_output` sets"),
        ("import threading\nthreading.Thread(target=f, args=('x'))", "needs a comma"),
        ("import requests\nrequests.get('x', follow_redirects=True)", "`follow_redirects`"),
        ("from fastapi import HTTPException\nraise HTTPException(400, message='x')", "`message`"),
        ("from diffusers import DDIMScheduler\ns = DDIMScheduler()\ns.set_timesteps(10, sigmas=[1.0])", "`sigmas`"),
        ("from diffusers import EulerDiscreteScheduler as S\nS.from_config({}).step(x, t, x, eta=0)", "`eta`"),
    ],
)
def test_what_a_library_rejects_is_explained(code: str, why: str) -> None:
    (finding,) = findings_of(RULE, f"{code}\n")
    assert why in finding.message


@pytest.mark.parametrize(
    "code",
    [
        "import subprocess\nsubprocess.run('x', capture_output=False, stderr=1)",
        "import subprocess\nsubprocess.run('x', input=None, stdin=1)",
        "import subprocess\nsubprocess.run(*args, **options)",
        "import threading\nthreading.Thread(None, f, args=('x',))",
        "import pytest, requests\nwith pytest.raises(TypeError):\n    requests.get('x', follow_redirects=True)",
        "import argparse\nargparse.ArgumentParser().add_argument('-x', action=Own, type=int)",
    ],
)
def test_what_a_library_accepts_is_not_reported(code: str) -> None:
    assert findings_of(RULE, f"{code}\n") == []


@pytest.mark.parametrize(
    ("asked", "found"), [("diffusers", 1), ("diffusers>=0.35", 1), ("diffusers<0.29", 0), ("diffusers==0.28.2", 0)]
)
def test_a_module_that_moved_is_gone_for_those_who_ask_for_a_newer_library(asked: str, found: int) -> None:
    code = "from diffusers.models.unet_2d_condition import UNet2DConditionModel\nprint(UNet2DConditionModel)\n"
    assert len(findings_of("api/library-name-gone", {"engine/a.py": code}, {"requirements.txt": asked})) == found


@pytest.mark.parametrize(
    ("code", "version"),
    [
        ("import inspect\ninspect.getargspec(print)\n", "removed in Python 3.11;"),
        ("import numpy as np\nprint(np.Inf)\n", "removed in version 2.0 of the library;"),
    ],
)
def test_a_name_of_the_standard_library_is_gone_from_a_version_of_python(code: str, version: str) -> None:
    assert [version in each.message for each in findings_of("api/library-name-gone", code)] == [True]


def test_the_checks_run_in_files_that_name_a_library_with_such_contracts() -> None:
    rejecting, gone = set(), set()
    for library, functions in compile_contracts(Path(contract_store.SOURCE)).items():
        for contract in map(contract_store.record_of, functions.values()):
            if contract.takes is not None or any(each.absent or each.not_type for each in contract.requires):
                rejecting.add(library)
            if contract.gone:
                gone.add(library)
    named = {
        each.partition(" ")[0] for each in library_misfit.CHECK.traits.literals or ()
    }  # with words of its functions
    assert rejecting <= named
    assert gone <= set(library_name_gone.CHECK.traits.literals or ())
