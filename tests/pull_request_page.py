"""A pull request as GitHub would hold it: carries out plans in memory, and lets people and pushes act on it."""

from review_bot.comments import marker
from review_bot.comments.model import Posted, PostedComment, PostedReview


class Page:
    """Comments and requests for changes of ours, under numbers that only grow."""

    def __init__(self, name="review-bot"):
        self.name, self.comments, self.requests, self.last = name, {}, {}, 0

    def posted(self):
        """Return what a reader of the page would find of ours."""
        return Posted(tuple(self.comments.values()), tuple(self.requests.values()))

    def carry_out(self, plan):
        """Do what a plan says, as GitHub would. A plan that names what is not there fails."""
        for edit in plan.edits:
            self._put(self.comments[edit.id]._replace(body=edit.body))
        for deletion in plan.deletions:
            del self.comments[deletion.id]
        for number in plan.withdraw:
            del self.requests[number]
        for new in plan.new:
            kind = "file" if new.line is None else "inline"
            self.add(kind, new.body, path=new.path, line=new.line, start_line=new.start_line, thread=f"T{self.last}")
        for thread in (*plan.reopen, *plan.resolve):
            (found,) = [each for each in self.comments.values() if each.thread == thread]
            assert found.resolved == (thread in plan.reopen)
            self._put(found._replace(resolved=thread in plan.resolve))
        if plan.request_changes:
            self.last += 1
            self.requests[self.last] = PostedReview(self.last)
        if plan.summary is not None:
            self.add("summary", plan.summary)

    def add(self, kind, body, **facts):
        """Put a comment of ours on the page."""
        self.last += 1
        self._put(PostedComment(self.last, kind, (), body, **facts))
        return self.last

    def change(self, number, **facts):
        """Let something happen to a comment."""
        self._put(self.comments[number]._replace(**facts))

    def _put(self, comment):
        found = marker.read(comment.body, self.name)
        assert found is not None
        assert found.kind == comment.kind
        assert len(comment.body.encode()) <= 65_000
        self.comments[comment.id] = comment._replace(fingerprints=found.fingerprints)
