"""The judges themselves: a check that cannot fail is worth nothing."""

import http.client
import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from contract import corrections
from contract.description import Description, Exchange, corrected, field_of, published
from contract.graphql_schema import Schema
from contract.prism import prism

REVIEW = {"commit_id": "c" * 40, "body": "One finding.", "event": "COMMENT"}
COMMENT = {"path": "a.py", "body": "A finding.", "line": 3, "side": "RIGHT"}
REFUSAL = {
    "message": "Unprocessable Entity",
    "errors": ["Line could not be resolved"],
    "documentation_url": "https://docs.github.com/rest",
}


def exchange(method, target, body=None, status=422, answer=REFUSAL):
    sent = b"" if body is None else json.dumps(body).encode()
    got = b"" if answer is None else json.dumps(answer).encode()
    kind = {"content-type": "application/json; charset=utf-8"}
    return Exchange(method, target, kind if sent else {}, sent, status, kind if got else {}, got)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (REVIEW, []),
        ({**REVIEW, "comments": [COMMENT]}, []),
        (
            {**REVIEW, "event": "LGTM"},
            ["request: .event: 'LGTM' is not one of ['APPROVE', 'REQUEST_CHANGES', 'COMMENT']"],
        ),
        ({**REVIEW, "body": None}, ["request: .body: None is not of type 'string'"]),
        ({**REVIEW, "comments": [{"body": "A finding."}]}, ["request: .comments[0]: 'path' is a required property"]),
        (
            {**REVIEW, "comments": [{**COMMENT, "line": "3"}]},
            ["request: .comments[0].line: '3' is not of type 'integer'"],
        ),
        (
            {**REVIEW, "comments": [{**COMMENT, "subject_type": "file"}]},
            ["request: .comments[0]: GitHub knows no field 'subject_type' here"],
        ),
    ],
)
def test_a_review_that_github_does_not_describe_is_refused(description, body, said):
    assert [*description.violations(exchange("POST", "/repos/o/r/pulls/3/reviews", body))] == said


@pytest.mark.parametrize(
    ("case", "said"),
    [
        (exchange("GET", "/repos/o/r/pulls/x/files", status=200, answer=[]), "path parameter pull_number"),
        (exchange("GET", "/repos/o/r/pulls/3/files?pages=2", status=200, answer=[]), "no query parameter 'pages'"),
        (exchange("GET", "/repos/o/r/pulls/3/files?page=x", status=200, answer=[]), "query parameter page"),
        (exchange("GET", "/repos/o/r/pulls/3/lines", status=200, answer=[]), "GitHub has no such operation"),
        (exchange("PUT", "/repos/o/r/pulls/3/files", status=200, answer=[]), "GitHub has no such operation"),
        (
            exchange("GET", "/repos/o/r/pulls/3/files", status=202, answer=[]),
            "does not answer pulls/list-files with 202",
        ),
        (exchange("GET", "/repos/o/r/pulls/3/files", status=200, answer=[{}]), "'filename' is a required property"),
        (exchange("GET", "/repos/o/r/pulls/3/files", status=200, answer={}), "is not of type 'array'"),
        (exchange("GET", "/repos/o/r/pulls/3/files", status=200, answer=None), "not without a type"),
        (exchange("DELETE", "/repos/o/r/pulls/comments/3", status=204, answer={}), "a 204 has no body"),
        (
            exchange("POST", "/repos/o/r/pulls/3/reviews", REVIEW, answer={"message": "No"}),
            "'documentation_url' is a required",
        ),
    ],
)
def test_a_call_that_github_does_not_describe_is_refused(description, case, said):
    assert said in "\n".join(description.violations(case))


def test_a_field_that_github_does_not_have_is_refused_in_an_answer(description):
    case = exchange("POST", "/repos/o/r/pulls/3/reviews", REVIEW, answer={**REFUSAL, "comment": 3})
    assert [*description.violations(case)] == ["answer: the body: GitHub knows no field 'comment' here"]


def test_a_link_by_the_number_of_the_repository_is_the_same_operation(description):
    assert description.operation("GET", "/repositories/7/pulls/3/files?page=2").id == "pulls/list-files"
    assert description.operation("PATCH", "/repos/o/r/pulls/comments/3").id == "pulls/update-review-comment"


@pytest.mark.parametrize("wrong", corrections.NULLABLE, ids=lambda wrong: f"{wrong.schema}.{wrong.field}")
def test_a_correction_is_still_needed(wrong):
    """Once GitHub fixes its description, the correction is deleted."""
    schema = published()["components"]["schemas"][wrong.schema]
    field = field_of(schema, wrong.field)
    says = Description(published()).schemas.violations(field, None)
    assert [*says], f"GitHub now says that {wrong.field} may be null: drop the correction"
    assert field_of(corrected(published())["components"]["schemas"][wrong.schema], wrong.field)["nullable"]


OVERVIEW = (
    'query($n: Int!) {repository(owner: "o", name: "r") {pullRequest(number: $n) {title headRefOid author {login}}}}'
)
PULL = {"title": "A change", "headRefOid": "c" * 40, "author": None}


@pytest.mark.parametrize(
    ("pull", "said"),
    [
        (PULL, []),
        ({**PULL, "title": None}, ["Cannot return null for non-nullable field PullRequest.title"]),
        ({**PULL, "title": 3}, ["pullRequest.title is 3"]),
        ({**PULL, "headRefOid": "HEAD"}, ["'HEAD' is no GitObjectID"]),
        ({**PULL, "body": "x"}, ["pullRequest.body was not asked for"]),
        ({"title": "x", "headRefOid": "c" * 40}, ["pullRequest.author is missing"]),
    ],
)
def test_an_answer_that_the_document_did_not_ask_for_is_refused(schema, pull, said):
    body = json.dumps({"query": OVERVIEW, "variables": {"n": 3}}).encode()
    got = [*schema.of_exchange(body, json.dumps({"data": {"repository": {"pullRequest": pull}}}).encode())]
    assert len(got) == len(said)
    assert all(part in sentence for part, sentence in zip(said, got, strict=True))


def test_a_document_that_github_does_not_understand_is_refused(schema):
    wrong = "mutation($t: ID!) {resolveReviewThread(input: {thread: $t}) {thread {isResolved}}}"
    assert any("threadId" in said for said in schema.of_document(wrong))
    assert [*schema.of_document("query {")] == ["Syntax Error: Expected Name, found <EOF>."]
    body = json.dumps({"query": OVERVIEW, "variables": {"n": "3"}}).encode()
    assert any("invalid value" in said for said in schema.of_exchange(body, b'{"data": {}}'))


class _Empty(BaseHTTPRequestHandler):
    """A server that answers everything with an empty list: right for a list of files, wrong for a review."""

    def do_GET(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"[]")

    do_POST = do_GET

    def log_message(self, *args):
        pass


def test_prism_refuses_a_wrong_request_and_a_wrong_answer(description, tmp_path):
    server = HTTPServer(("127.0.0.1", 0), _Empty)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    used = [
        description.operation(*request)
        for request in (("GET", "/repos/o/r/pulls/3/files"), ("POST", "/repos/o/r/pulls/3/reviews"))
    ]

    def ask(method, target, body=None):
        connection = http.client.HTTPConnection(origin.removeprefix("http://"), timeout=30)
        connection.request(
            method, target, body and json.dumps(body), {"Content-Type": "application/json"} if body else {}
        )
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, text

    try:
        with prism(description.slim(used), f"http://127.0.0.1:{server.server_address[1]}", tmp_path) as origin:
            assert ask("GET", "/repos/o/r/pulls/3/files?per_page=100") == (200, "[]")
            assert ask("GET", "/repositories/7/pulls/3/files?page=2") == (200, "[]")
            status, text = ask("POST", "/repos/o/r/pulls/3/reviews", {**REVIEW, "event": "LGTM"})
            assert (status, "allowed values" in text) == (422, True)
            status, text = ask("POST", "/repos/o/r/pulls/3/reviews", REVIEW)
            assert (status, "Response body must be object" in text) == (500, True)
            assert ask("GET", "/repos/o/r/issues")[0] == 404
    finally:
        server.shutdown()
        server.server_close()


def test_the_judge_leaves_the_published_description_as_it_is():
    document = published()
    before = json.dumps(document, sort_keys=True)
    Description(corrected(document))
    assert json.dumps(document, sort_keys=True) == before


def test_the_schema_knows_the_operations_of_a_document():
    assert Schema().operations("query One {viewer {login}} mutation Two {__typename}") == ["One", "Two"]


def test_what_a_schema_lets_be_null_or_absent_is_known(description, schema):
    """These variants are fed to the shapes with which our client reads answers."""
    row = {"id": 1, "name": "x", "owner": {"login": "o", "email": "e"}}
    owner = {
        "type": "object",
        "properties": {"login": {"type": "string"}, "email": {"type": "string", "nullable": True}},
    }
    shape = {"type": "object", "required": ["id"], "properties": {"id": {}, "name": {"type": "string"}, "owner": owner}}
    places = [where for where, _ in description.schemas.variants({"type": "array", "items": shape}, [row])]
    assert places == [
        "[0].name left out",
        "[0].owner left out",
        "[0].owner.login left out",
        "[0].owner.email left out",
        "[0].owner.email null",
    ]
    variants = dict(schema.variants(OVERVIEW, {"repository": {"pullRequest": {**PULL, "author": {"login": "x"}}}}))
    assert [*variants] == [".repository null", ".repository.pullRequest null", ".repository.pullRequest.author null"]
    assert variants[".repository.pullRequest.author null"] == {"repository": {"pullRequest": PULL}}
