"""What keeps a task from being set up or scored, as opposed to a score of zero."""


class Fault(BaseException):
    """A failure that is no outcome of the agent's work.

    It is no Exception, so that code which handles any Exception by answering zero lets it pass; each is kept beside, because
    a bare except stops even this.
    """

    raised: list["Fault"] = []

    def __init__(self, kind: str, message: str):
        super().__init__(message)
        self.kind = kind
        self.message = message
        Fault.raised.append(self)

    @classmethod
    def check(cls) -> None:
        """Raises the first fault again that was swallowed."""
        if cls.raised:
            raise cls.raised[0]


MOST_NOTES = 20
LONGEST_NOTE = 500


class Notes:
    """What was logged on the way, bounded: why a score is zero is often said nowhere else."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def add(self, line: str) -> None:
        line = " ".join(line.split())[:LONGEST_NOTE]
        if line and line not in self.lines and len(self.lines) < MOST_NOTES:
            self.lines.append(line)
