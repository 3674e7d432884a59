"""GraphQL: whatever is selected, by name, alias and fragment; and its errors."""

from __future__ import annotations

import pytest

from tests.fake_github.conftest import client


@pytest.fixture
def ask(github, api):
    def ask(document, variables=None, token=None):
        given = {} if token is None else {"Authorization": f"Bearer {token}"}
        body = {"query": document, "variables": variables or {}}
        return api.post(github.graphql_url, json=body, headers=given).json()

    return ask


PULL = 'query($n: Int!) { repository(owner: "octo", name: "halcyon") { pullRequest(number: $n) { %s } } }'


def test_blobs_by_alias(ask, repo, pr, github):
    repo.commit({"latin": b"caf\xe9\n", "bin": b"\0", "long": "x" * 600_000})
    shas = {row: repo_blob(repo, row) for row in (b"latin", b"bin", b"long")}
    aliases = " ".join(
        f'b{at}: object(oid: "{sha}") {{ ... on Blob {{ oid byteSize isBinary isTruncated text }} }}'
        for at, sha in enumerate([*shas.values(), "0" * 40])
    )
    got = ask(f'query Blobs {{ repository(owner: "octo", name: "halcyon") {{ {aliases} }} }}')["data"]["repository"]
    assert (got["b0"]["text"], got["b0"]["byteSize"], got["b0"]["isBinary"]) == ("caf\ufffd\n", 5, False)
    assert (got["b1"]["text"], got["b1"]["isBinary"]) == (None, True)
    assert (len(got["b2"]["text"]), got["b2"]["isTruncated"], got["b2"]["byteSize"]) == (512_000, True, 600_000)
    assert got["b3"] is None
    assert github.requests[-1].operation == "Blobs"


def repo_blob(repo, path):
    store = repo.hosting.store(repo.record)
    return store.entries(store.tree_of(repo.tip("main")))[path].sha


def test_the_base_branch_and_its_files(ask, repo, pr):
    tip = repo.commit({".github/rules/a.yaml": "id: a\n", ".github/bot.yml": "version: 1\n"})
    fields = """
      state isDraft locked merged changedFiles isCrossRepository author { login }
      baseRefOid headRepository { nameWithOwner }
      baseRef { target { oid ... on Commit { committedDate
        config: file(path: ".github/bot.yml") { mode object { ...Text } }
        none: file(path: "no.yml") { mode }
        rules: file(path: ".github/rules") { object { ... on Tree { entries { name type mode object { ...Text } } } } }
      } } }
    """
    document = PULL % fields + " fragment Text on Blob { oid text }"
    pull = ask(document, {"n": 1})["data"]["repository"]["pullRequest"]
    assert (pull["state"], pull["changedFiles"], pull["author"]) == ("OPEN", 3, {"login": "ada"})
    target = pull["baseRef"]["target"]
    assert (target["oid"], pull["baseRefOid"]) == (tip, pr.base_sha)
    assert (target["config"]["mode"], target["config"]["object"]["text"]) == (0o100644, "version: 1\n")
    assert target["none"] is None
    assert [entry["name"] for entry in target["rules"]["object"]["entries"]] == ["a.yaml"]


def test_approvals_and_who_may_push(ask, repo, pr):
    repo.collaborator("grace", "write")
    pr.approve_as("grace")
    pr.approve_as("eve", sha=pr.head_sha)
    pr.review_as("grace", body="Hm.")
    fields = (
        "reviews(states: [APPROVED], last: 100) { nodes { authorCanPushToRepository author { login } commit { oid } } }"
    )
    nodes = ask(PULL % fields, {"n": 1})["data"]["repository"]["pullRequest"]["reviews"]["nodes"]
    assert [(node["author"]["login"], node["authorCanPushToRepository"]) for node in nodes] == [
        ("grace", True),
        ("eve", False),
    ]
    assert {node["commit"]["oid"] for node in nodes} == {pr.head_sha}


def test_threads_in_pages_and_resolving(ask, github, api, repo, pr):
    comments = [{"path": "a.py", "line": line, "side": "RIGHT", "body": "x"} for line in (1, 2, 3)]
    api.post("/pulls/1/reviews", json={"commit_id": pr.head_sha, "event": "COMMENT", "body": "x", "comments": comments})
    fields = """reviewThreads(first: 2, after: %s) { pageInfo { hasNextPage endCursor } totalCount
        nodes { id isResolved isOutdated line comments(first: 1) { nodes { databaseId author { __typename login } } } } }"""
    first = ask(PULL % (fields % "null"), {"n": 1})["data"]["repository"]["pullRequest"]["reviewThreads"]
    assert (first["totalCount"], first["pageInfo"]["hasNextPage"], len(first["nodes"])) == (3, True, 2)
    cursor = first["pageInfo"]["endCursor"]
    second = ask(PULL % (fields % f'"{cursor}"'), {"n": 1})["data"]["repository"]["pullRequest"]["reviewThreads"]
    assert ([node["line"] for node in second["nodes"]], second["pageInfo"]["hasNextPage"]) == ([3], False)
    author = first["nodes"][0]["comments"]["nodes"][0]["author"]
    assert author == {"__typename": "Bot", "login": "github-actions"}  # REST says github-actions[bot]
    resolve = "mutation($id: ID!) { resolveReviewThread(input: {threadId: $id}) { thread { isResolved } } }"
    refused = ask(resolve, {"id": first["nodes"][0]["id"]})
    assert (refused["data"], refused["errors"][0]["type"]) == ({"resolveReviewThread": None}, "FORBIDDEN")
    assert refused["errors"][0]["message"] == "Resource not accessible by integration"
    strong = github.token(permissions={"contents": "write", "pull-requests": "write"})
    done = ask(resolve, {"id": first["nodes"][0]["id"]}, strong)
    assert done["data"]["resolveReviewThread"]["thread"]["isResolved"]
    assert [thread.resolved for thread in pr.threads] == [True, False, False]


def test_minimizing(ask, github, api, pr):
    made = api.post("/issues/1/comments", json={"body": "x"}).json()
    document = "mutation($id: ID!) { minimizeComment(input: {subjectId: $id, classifier: OUTDATED}) { minimizedComment { isMinimized } } }"
    weak = github.token(read_only=True)
    assert ask(document, {"id": made["node_id"]}, weak)["errors"][0]["type"] == "FORBIDDEN"
    assert ask(document, {"id": made["node_id"]})["data"]["minimizeComment"]["minimizedComment"]["isMinimized"]
    assert pr.comments[0].minimized == "outdated"


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ("{ viewer { nope } }", "Field 'nope' doesn't exist on type 'User'"),
        ("{ viewer }", "Field must have selections"),
        ("{ viewer { login(first: 1) } }", "doesn't accept argument 'first'"),
        (PULL % "id", "Variable $n of type Int! was provided invalid value"),
        ("{ viewer { login }", "Parse error"),
        ("{ viewer { ...Missing } }", "Fragment Missing was used, but not defined"),
        (
            '{ repository(owner: "no", name: "such") { id } }',
            "Could not resolve to a Repository with the name 'no/such'.",
        ),
        (
            PULL.replace("$n)", "9)").replace("query($n: Int!)", "") % "id",
            "Could not resolve to a PullRequest with the number of 9.",
        ),
        (
            PULL.replace("$n)", "1)").replace("query($n: Int!)", "") % "reviews { totalCount }",
            "You must provide a `first` or `last` value",
        ),
        (
            PULL.replace("$n)", "1)").replace("query($n: Int!)", "") % "reviews(first: 101) { totalCount }",
            "exceeds the",
        ),
    ],
)
def test_errors_come_with_status_200(ask, pr, document, words):
    assert words in ask(document)["errors"][0]["message"]


def test_without_a_token_and_without_points(github, ask, pr):
    with client(github, "ghs_none") as nobody:
        assert nobody.post(github.graphql_url, json={"query": "{ viewer { login } }"}).status_code == 401
    github.limits.points_an_hour = 1
    token = github.token()
    assert "errors" not in ask("{ viewer { login } }", token=token)
    assert ask("{ viewer { login } }", token=token)["errors"][0]["type"] == "RATE_LIMITED"
