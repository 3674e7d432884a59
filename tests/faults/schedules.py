"""Random schedules: several runs on one pull request, with faults, pushes, meddling people, and runs that overlap.

::

    field = Field()               one fake GitHub for as long as the process lives
    played = play(field, 7)       the same number, the same schedule

Each schedule ends with two runs on a calm day: the first has to put everything right, the second has nothing to write.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple, cast

from fake_github.faults import Fault, FaultKind
from fake_github.git_store import Content
from fake_github.world import ACTIONS_BOT, IssueComment, ReviewComment
from review_bot.comments import marker
from review_bot.reports import comments
from tests.faults import cases, invariants
from tests.faults.cases import LIES, SLOW, Site
from tests.faults.invariants import Finding
from tests.faults.scenes import (
    CALM,
    CONFIG,
    DOUBTFUL,
    FINE,
    HASTY,
    USES,
    USES_WELL,
    Kill,
    Made,
    Scene,
    Stage,
    Standing,
    run_of,
)

STRICT = CONFIG.replace("error", "warning")
FORMS: dict[str, tuple[Content, ...]] = {
    "halcyon/one.py": (
        DOUBTFUL.format("one"),
        FINE.format("one"),
        DOUBTFUL.format("one") + DOUBTFUL.format("two").partition('"""\n\n')[2],
    ),
    "halcyon/two.py": (None, DOUBTFUL.format("two"), "VERSION = 2\n" + DOUBTFUL.format("two"), FINE.format("two")),
    "halcyon/uses.py": (None, USES, USES_WELL),
    "scratch/notes.txt": (None, "Remember the milk.\n"),
}
"""What the files of the change may hold; None: they are not there."""

SITES = (
    Site("GRAPHQL", "Overview"), Site("GRAPHQL", "Threads"), Site("GRAPHQL", "Blobs"), Site("GRAPHQL", "Resolve"),
    Site("GET", "/pulls/*/files"), Site("GET", "/pulls/*/comments"), Site("GET", "/issues/*/comments"),
    Site("GET", "/pulls/*/reviews"), Site("GET", "/compare/*"), Site("GET", "/git/trees/*"), Site("GET", "/tarball/*"),
    Site("GET", "/legacy.tar.gz/*"), Site("GET", "/pulls/*"), Site("POST", "/pulls/*/reviews"),
    Site("POST", "/pulls/*/comments"), Site("POST", "/issues/*/comments"), Site("PATCH", "/pulls/comments/*"),
    Site("PATCH", "/issues/comments/*"), Site("DELETE", "/pulls/comments/*"), Site("DELETE", "/issues/comments/*"),
    Site("PUT", "/pulls/*/reviews/*/dismissals"), Site("POST", "/statuses/*"), Site("*", "**"),
)  # fmt: skip

_QUICK = tuple(kind for kind in (*cases.KINDS, *cases.LOST_ANSWERS, *cases.REFUSALS) if kind not in SLOW)
_CALLS = 30
"""Something in the middle of a run happens before one of so many calls."""

Forms = tuple[int, ...]


class Truth(NamedTuple):
    """How a state of the files is to be judged: exit code, findings, and which of them have a comment of their own."""

    code: int
    findings: frozenset[Finding]
    commented: tuple[str, ...]


class Played(NamedTuple):
    """A schedule as it went. ``faults``: calls that one struck."""

    runs: int
    faults: int
    breaches: tuple[str, ...]


class Field(Stage):
    """A fake GitHub with a pull request whose files change their form."""

    def __init__(self) -> None:
        super().__init__()
        self._truths: dict[Forms, Truth] = {}

    def truth(self, forms: Forms, *, is_strict: bool) -> Truth:
        """Return how a state is judged on a calm day, on a pull request of its own. Ends what waits at the fake GitHub."""
        if forms not in self._truths:
            kept = self.github.snapshot()
            self.github.restore(self.bare)
            pull = self.action.open(contents(forms))
            made = self.run(run_of(self, pull, self.bare))
            assert made.result is not None
            assert made.code in {0, 1}, made.result.log
            names = tuple(sorted(open_names(self.standing(run_of(self, pull, self.bare)))))
            self._truths[forms] = Truth(made.code, frozenset(invariants.findings(made.result)), names)
            self.github.restore(kept)
        found = self._truths[forms]
        return found._replace(code=1) if is_strict and found.commented else found  # whatever is commented is a warning


def contents(forms: Forms) -> dict[str, Content]:
    """Return the files of a state, and one that is always there."""
    found = {path: choices[form] for (path, choices), form in zip(FORMS.items(), forms, strict=True)}
    return {**{path: text for path, text in found.items() if text is not None}, "docs/index.md": "# Halcyon\n"}


def open_names(standing: Standing) -> list[str]:
    """Return the fingerprints that open comments of ours name, each as often as it is named."""
    rows = [each for each in standing.ours if each.kind != "summary" and comments.settled(each.body) is None]
    return [name for each in rows for name in each.fingerprints]


def play(field: Field, seed: int) -> Played:
    """Play a schedule."""
    return _Schedule(field, seed).play()


class _Ended(NamedTuple):
    """A run to be judged: the policies that held meanwhile (whether strict), and the status that was set meanwhile."""

    number: int
    made: Made
    head: str
    policies: frozenset[bool]
    status: str | None


class _Schedule:
    def __init__(self, field: Field, seed: int) -> None:
        self._field, self._random = field, Random(seed)
        field.github.restore(field.bare)
        forms = self._some_forms()
        self._pull = field.action.open(contents(forms))
        self._heads: dict[str, Forms] = {self._pull.head_sha: forms}
        self._is_strict = False
        self._policies = {False}
        self._ended: list[_Ended] = []
        self._faults = 0
        self._breaches: list[str] = []

    def play(self) -> Played:
        self._pull.comment_as("ada", f"Fine.\n{marker.write('review-bot', 'summary')}")
        for _ in range(self._random.choice((2, 2, 3))):
            for _ in range(self._random.choice((0, 0, 1, 2))):
                self._random.choice(self._meddling())()
            self._one_run()
        for ended in self._ended:
            self._breaches += [f"run {ended.number}: {words}" for words in self._judge(ended)]
        runs = len(self._ended)
        self._breaches += self._last_runs()
        return Played(runs, self._faults, tuple(self._breaches))

    def _one_run(self) -> None:
        """Run with faults, and perhaps with something that happens in the middle."""
        field, random = self._field, self._random
        field.github.restore(field.github.snapshot())
        scene = run_of(field, self._pull, field.bare)
        before, known = field.standing(scene), self._number_of_statuses(scene)
        self._policies = {self._is_strict}
        faults = [self._some_fault() for _ in range(random.choice((0, 1, 1, 2, 3)))]
        chance, kill, overlaps = random.random(), None, False
        if chance < 0.2:
            overlaps = True
            faults = [each for each in faults if each.kind not in SLOW]  # a run waits as long as the other one takes
            self._later(lambda: self._another_run(scene))
        elif chance < 0.45:
            self._later(random.choice(self._meddling()))
        elif chance < 0.55:
            kill = self._some_end()
        for fault in faults:
            field.github.faults.add(fault)
        limits = HASTY if any(each.kind in SLOW for each in faults) else CALM
        made = field.run(scene, limits=limits, kill=kill, seed=random.randrange(1000))
        self._faults += sum(each.hits for each in faults)
        lies = any(each.kind in LIES and each.hits for each in faults)
        is_meddled = 0.2 <= chance < 0.45
        self._note(
            made, scene, before, known, may_repeat=overlaps or lies, is_paced=not overlaps, is_meddled=is_meddled
        )

    def _another_run(self, scene: Scene) -> None:
        """Run from beginning to end while a first run waits for an answer."""
        mine = self._random.choice((scene, run_of(self._field, self._pull, self._field.bare)))
        before, known = self._field.standing(mine), self._number_of_statuses(mine)
        made = self._field.run(mine, seed=1, is_stamped=False)
        self._note(made, mine, before, known, may_repeat=True, is_paced=False)

    def _note(
        self,
        made: Made,
        scene: Scene,
        before: Standing,
        known: int,
        *,
        may_repeat: bool,
        is_paced: bool,
        is_meddled: bool = False,
    ) -> None:
        after = self._field.standing(scene)
        number = len(self._ended) + 1
        found = [*invariants.of_run(self._field, made, CALM, is_paced=is_paced)]
        found += invariants.of_standing(before, after, may_repeat=may_repeat)
        found += [] if may_repeat or is_meddled else invariants.said_twice(made)
        self._breaches += [f"run {number}: {words}" for words in found]
        status = after.status if self._number_of_statuses(scene) > known else None
        self._ended.append(_Ended(number, made, scene.head, frozenset(self._policies), status))

    def _number_of_statuses(self, scene: Scene) -> int:
        return len(self._field.repository.statuses(scene.head))

    def _judge(self, ended: _Ended) -> list[str]:
        """Return what is wrong with the verdict of a run, by the files of the head that it was about."""
        truths = [self._field.truth(self._heads[ended.head], is_strict=each) for each in sorted(ended.policies)]
        codes = {each.code for each in truths}
        found = []
        if ended.made.code in {0, 1} and ended.made.code not in codes:
            found.append("the run is green, and was not to be" if ended.made.code == 0 else "it is red without reason")
        if ended.status == "success" and 0 not in codes:
            found.append("the status is green, and was not to be")
        result = ended.made.result
        if result is not None and result.outputs.get("verdict") not in {None, "", "incomplete"}:
            lost = truths[0].findings - set(invariants.findings(result))
            untold = [rule for rule, path, _ in truths[0].findings if rule not in result.summary]
            found += [f"{len(lost)} findings are lost"] if lost else []
            found += [f"the page of the job does not tell of {rule}" for rule in untold]
        return found

    def _last_runs(self) -> list[str]:
        """Run on a calm day, and again: return what is not as it is to be."""
        field = self._field
        field.github.restore(field.github.snapshot())
        scene = run_of(field, self._pull, field.bare)
        truth = field.truth(self._heads[scene.head], is_strict=self._is_strict)
        before = field.standing(scene)
        made = field.run(scene)
        now = field.standing(scene)
        found = [*invariants.of_run(field, made, CALM), *invariants.of_standing(before, now, may_repeat=True)]
        found += [f"in the end {words}" for words in invariants.repeated(now)]
        if made.code != truth.code:
            found.append(f"a calm run ended with {made.code} in place of {truth.code}")
        if (now.status == "success") != (truth.code == 0):
            found.append(f"in the end the status is {now.status}")
        if tuple(sorted(open_names(now))) != truth.commented:
            found.append("in the end findings are lost or told too often: other comments are open than on a calm day")
        if now.requests != truth.code:
            found.append(f"in the end {now.requests} requests for changes stand, with exit code {truth.code}")
        summary = "".join(each.body for each in now.ours if each.kind == "summary")
        if not summary or not all(rule in summary for rule, _, _ in truth.findings):
            found.append("in the end a finding is lost: the summary does not tell of it")
        again = invariants.writes(field.again(scene))
        return [*found, f"a last run still writes {again}"] if again else found

    # ------------------------------------------------------------------------------------------ what is drawn

    def _some_forms(self) -> Forms:
        return tuple(self._random.randrange(len(choices)) for choices in FORMS.values())

    def _some_fault(self) -> Fault:
        random = self._random
        site = random.choice(SITES)
        kinds = _QUICK if random.random() < 0.95 else tuple(SLOW)
        if site.method == "GET" and site.path.endswith("s") and random.random() < 0.1:
            return Fault(site, cast("FaultKind", random.choice(LIES)), 1, random.randrange(2))
        times = random.choice((1, 1, 1, 1, 2, 3, None))
        after = random.randrange(_CALLS) if site.path == "**" else random.choice((0, 0, 0, 1, 2))
        return Fault(site, cast("FaultKind", random.choice(kinds)), times, after)

    def _some_end(self) -> Kill:
        last = self._random.randrange(_CALLS)
        return lambda: len(self._field.github.requests) >= last

    def _later(self, action: Callable[[], object]) -> None:
        """Do something before one of the calls of the next run."""
        self._field.github.before(("*", "**"), action, after=self._random.randrange(_CALLS))

    def _meddling(self) -> tuple[Callable[[], object], ...]:
        return self._push, self._push, self._delete, self._edit, self._reply, self._say, self._advance, self._legislate

    def _push(self) -> None:
        forms = self._some_forms()
        before, after = contents(self._heads[self._pull.head_sha]), contents(forms)
        gone = dict.fromkeys(before.keys() - after.keys())
        self._heads[self._pull.push({**gone, **after})] = forms

    def _advance(self) -> None:
        self._field.repository.commit({"docs/base.md": f"# Base {self._random.randrange(9)}\n"})

    def _legislate(self) -> None:
        """Change the policy at the base."""
        self._is_strict = not self._is_strict
        self._policies.add(self._is_strict)
        self._field.repository.commit({".github/review-bot.yml": STRICT if self._is_strict else CONFIG})

    def _say(self) -> None:
        self._pull.comment_as("ada", f"Remark {self._random.randrange(99)}.")

    def _own(self) -> list[IssueComment | ReviewComment]:
        both: list[IssueComment | ReviewComment] = [*self._pull.comments, *self._pull.review_comments]
        return [
            each for each in both if each.author == ACTIONS_BOT and marker.read(each.body, "review-bot") is not None
        ]

    def _delete(self) -> None:
        if own := self._own():
            self._pull.delete_comment(self._random.choice(own).id)

    def _edit(self) -> None:
        if own := self._own():
            chosen = self._random.choice(own)
            text = self._random.choice((f"I think not.\n\n{chosen.body}", chosen.body.replace("the", "a"), "Gone."))
            self._pull.edit_comment(chosen.id, text)

    def _reply(self) -> None:
        first = [each for each in self._own() if isinstance(each, ReviewComment) and each.in_reply_to is None]
        if first:
            self._pull.reply_as("ada", self._random.choice(first).id, "Are you sure?")
