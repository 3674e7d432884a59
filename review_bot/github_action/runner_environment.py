"""The interface between the runner of GitHub Actions and an action: environment, event, outputs; no network.

An input ``fail-on`` arrives as the variable ``INPUT_FAIL-ON``: only blanks become underscores, and one that is not set
is an empty text (https://docs.github.com/en/actions/reference/workflows-and-actions/metadata-syntax#inputs).
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from typing import Any

from review_bot.configuration.inputs import Gate, Inputs
from review_bot.errors import ReviewBotError, UsageError
from review_bot.files.file_writing import NotWritten, write_below
from review_bot.forges.github import allowed_urls
from review_bot.records import NamedTuple
from review_bot.setting import Declared, make, parse

_SECRETS = (
    "GITHUB_TOKEN", "GH_TOKEN", "ACTIONS_RUNTIME_TOKEN", "ACTIONS_RUNTIME_URL", "ACTIONS_RESULTS_URL",
    "ACTIONS_CACHE_URL", "ACTIONS_ID_TOKEN_REQUEST_TOKEN", "ACTIONS_ID_TOKEN_REQUEST_URL",
)  # fmt: skip


class Runner(NamedTuple):
    """Where the job runs: addresses of GitHub, the event, and the files for outputs and the summary.

    ``debug``: the owner of the run asked for its steps to be logged in detail (``ACTIONS_STEP_DEBUG``).
    ``commit``: the one that the check of this run belongs to, as far as GitHub says so.
    """

    api_url: str
    graphql_url: str
    server_url: str
    repository: str
    event: str
    event_path: str
    workspace: str
    output_path: str
    summary_path: str
    run: str
    run_url: str
    debug: bool = False
    commit: str = ""


def read_gate(environment: Mapping[str, str]) -> Gate:
    """Read the inputs that a commit status needs. Raises UsageError that names the input and its values."""
    gate: Gate = make(Gate, lambda setting: _input(environment, setting))
    return gate._replace(token=gate.token or environment.get("GITHUB_TOKEN", "").strip())


def read_inputs(environment: Mapping[str, str]) -> Inputs:
    """Read the inputs. Raises UsageError that names the input and its values."""
    inputs: Inputs = make(Inputs, lambda setting: _input(environment, setting))
    return inputs._replace(gate=read_gate(environment))


def _input(environment: Mapping[str, str], setting: Declared) -> Any:
    """Return the value of an input, None if it is not set."""
    text = environment.get(f"INPUT_{setting.name.upper()}", "").strip()
    try:
        return parse(setting, text) if text else None
    except ValueError as error:
        raise UsageError(f"input {setting.name}: {error}") from error


def read_runner(environment: Mapping[str, str]) -> Runner:
    """Read where the job runs; what is missing is what github.com has, or the server that is named."""
    server = environment.get("GITHUB_SERVER_URL") or "https://github.com"
    api = environment.get("GITHUB_API_URL") or api_url(server)
    repository, run = environment.get("GITHUB_REPOSITORY", ""), environment.get("GITHUB_RUN_ID", "")
    return Runner(
        api_url=api,
        graphql_url=environment.get("GITHUB_GRAPHQL_URL") or allowed_urls.graphql_of(api),
        server_url=server,
        repository=repository,
        event=environment.get("GITHUB_EVENT_NAME", ""),
        event_path=environment.get("GITHUB_EVENT_PATH", ""),
        workspace=environment.get("GITHUB_WORKSPACE", ""),
        output_path=environment.get("GITHUB_OUTPUT", ""),
        summary_path=environment.get("GITHUB_STEP_SUMMARY", ""),
        run=run if run.isdigit() else "",
        run_url=f"{server}/{repository}/actions/runs/{run}" if repository and run.isdigit() else "",
        debug=environment.get("RUNNER_DEBUG") == "1",
        commit=environment.get("GITHUB_SHA", ""),
    )


def api_url(server_url: str) -> str:
    """Return where the API of a server is, so that a token for one server is never sent to another.

    Sources: https://docs.github.com/en/enterprise-server@latest/rest/using-the-rest-api/getting-started-with-the-rest-api,
    https://docs.github.com/en/enterprise-cloud@latest/admin/data-residency/network-details-for-ghecom
    """
    scheme, _, host = server_url.removesuffix("/").partition("://")
    if host.lower() == "github.com" or host.lower().endswith(".ghe.com"):
        return f"{scheme}://api.{host}"
    return f"{scheme}://{host}/api/v3"


def forget_secrets(environment: MutableMapping[str, str]) -> None:
    """Take every token out of the environment, once it is read: no child process and no log shall see it."""
    for name in (*_SECRETS, "INPUT_GITHUB-TOKEN"):
        environment.pop(name, None)


def append_outputs(path: str, values: Mapping[str, str]) -> None:
    """Write the outputs for the runner, each a text in one line. Raises ReviewBotError.

    Values are counts, fixed words, addresses and our own file names: never text of a pull request.
    """
    lines = []
    for name, value in values.items():
        if not value.isprintable():
            raise ReviewBotError(f"the output {name} holds a control character; please report this")
        lines.append(f"{name}={value}\n")
    _append(path, "".join(lines), "GITHUB_OUTPUT")


def append_summary(path: str, text: str) -> None:
    """Add Markdown to the page of the job. Raises ReviewBotError."""
    _append(path, text, "GITHUB_STEP_SUMMARY")


def _append(path: str, text: str, variable: str) -> None:
    if not path:
        return
    try:
        with open(path, "a", encoding="utf-8", errors="backslashreplace", newline="") as stream:
            stream.write(text)
    except OSError as error:
        raise ReviewBotError(f"{variable} names a file that cannot be written: {error.strerror}") from error


def write_report(workspace: str, folder: str, name: str, text: str) -> str:
    """Write a report below the workspace and return its path there. Raises ReviewBotError.

    No symbolic link is followed: a checkout of the change may hold one that leads to the runner's own files.
    """
    shown = f"{folder}/{name}"
    try:
        data = text.encode("utf-8", "backslashreplace")
        write_below(workspace or ".", shown, data, shown=f"the report {shown}", makes_folders=True)
    except NotWritten as error:
        raise NotWritten(f"{error}; set the input report-dir") from error
    return shown
