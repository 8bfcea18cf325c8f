"""Every candidate accounted for, once: candidates = scored + skipped + failed + dropped + pending, per scorer."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol

from spanjudge.model import Failure, Score, Skip

if TYPE_CHECKING:
    from collections.abc import Mapping

    from spanjudge.model import Evaluation, RagRun, Source
    from spanjudge.semconv import DropCode, OutcomeWord, RunDecision, SkipCode


@dataclass(frozen=True, slots=True)
class Candidate:
    """A run offered to a scorer."""

    run: RagRun
    scorer: str
    evaluator_version: str
    source: Source = "live"


class Listener(Protocol):
    """Who hears of each entry as it is made: the metrics."""

    def trace(self, decision: str, number: int) -> None:
        """Local roots were taken or not at the hot test."""
        ...

    def run(self, run: RagRun | None, decision: RunDecision, code: SkipCode | DropCode | None) -> None:
        """An assembled run was decided on."""
        ...

    def candidate(self, candidate: Candidate) -> None:
        """A run was offered to a scorer."""
        ...

    def settled(self, candidate: Candidate, outcome: OutcomeWord, code: str | None) -> None:
        """A candidate reached its one final state."""
        ...

    def queue(self, size: int, capacity: int) -> None:
        """The number of waiting runs changed."""
        ...


@dataclass(slots=True)
class Tally:
    """The state of one scorer's candidates."""

    candidates: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)

    @property
    def pending(self) -> int:
        """Candidates without a final state yet."""
        return self.candidates - sum(self.outcomes.values())


_WORDS: Final[Mapping[type, OutcomeWord]] = {Score: "scored", Skip: "skipped", Failure: "failed"}


class Ledger:
    """Counts what becomes of traces, runs and candidates. Written by the worker's thread alone."""

    def __init__(self, listener: Listener | None = None) -> None:
        self._listener = listener
        self.traces: Counter[str] = Counter()
        self.runs: Counter[tuple[str, str | None]] = Counter()
        self.scorers: dict[str, Tally] = {}

    def trace(self, decision: str, number: int = 1) -> None:
        """Count local roots: ``taken`` or ``not_taken``."""
        if number:
            self.traces[decision] += number
            if self._listener:
                self._listener.trace(decision, number)

    def run(self, run: RagRun | None, decision: RunDecision, code: SkipCode | DropCode | None = None) -> None:
        """Count the decision on one run; a run lost before it was assembled is None."""
        self.runs[decision, code] += 1
        if self._listener:
            self._listener.run(run, decision, code)

    def candidate(self, candidate: Candidate) -> None:
        """Count a candidate; it is pending until it is settled."""
        self.scorers.setdefault(candidate.scorer, Tally()).candidates += 1
        if self._listener:
            self._listener.candidate(candidate)

    def evaluated(self, candidate: Candidate, evaluation: Evaluation) -> None:
        """Settle a candidate by the outcome of its evaluation."""
        outcome = evaluation.outcome
        self._settle(candidate, _WORDS[type(outcome)], None if isinstance(outcome, Score) else outcome.code)

    def dropped(self, candidate: Candidate, code: DropCode) -> None:
        """Settle a candidate that was never judged."""
        self._settle(candidate, "dropped", code)

    def queue(self, size: int, capacity: int) -> None:
        """Tell how many runs wait, and how many may."""
        if self._listener:
            self._listener.queue(size, capacity)

    def pending(self) -> dict[str, int]:
        """Candidates without a final state, per scorer."""
        return {scorer: tally.pending for scorer, tally in self.scorers.items()}

    def _settle(self, candidate: Candidate, word: OutcomeWord, code: str | None) -> None:
        tally = self.scorers[candidate.scorer]
        tally.outcomes[word] += 1
        if code is not None:
            tally.codes[code] += 1
        if self._listener:
            self._listener.settled(candidate, word, code)
