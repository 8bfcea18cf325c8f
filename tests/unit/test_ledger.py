"""The ledger balances at every moment."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from spanjudge.ledger import Candidate, Ledger
from spanjudge.model import Evaluation, Failure, Outcome, RagRun, Score, Skip

SCORERS = ("context_recall", "faithfulness")


def _outcome(kind: str, scorer: str) -> Outcome:
    if kind == "scored":
        return Score(scorer=scorer, share=0.5, score=0.5, label="fair")
    if kind == "skipped":
        return Skip(scorer=scorer, code="no_query")
    return Failure(scorer=scorer, code="judge_timeout")


@given(
    st.lists(st.tuples(st.sampled_from(SCORERS), st.sampled_from(["scored", "skipped", "failed", "dropped", "open"])))
)
def test_candidates_are_the_sum_of_their_states_after_every_entry(events: list[tuple[str, str]]) -> None:
    ledger = Ledger()
    for scorer, kind in events:
        candidate = Candidate(RagRun(), scorer, "v1")
        ledger.candidate(candidate)
        _check(ledger)
        if kind == "dropped":
            ledger.dropped(candidate, "shutdown")
        elif kind != "open":
            evaluation = Evaluation(
                run=RagRun(), outcome=_outcome(kind, scorer), evaluator_version="v1", judge_model="m"
            )
            ledger.evaluated(candidate, evaluation)
        _check(ledger)
    for scorer in SCORERS:
        expected = sum(1 for name, kind in events if name == scorer and kind == "open")
        assert ledger.pending().get(scorer, 0) == expected


def _check(ledger: Ledger) -> None:
    for tally in ledger.scorers.values():
        assert tally.candidates == sum(tally.outcomes.values()) + tally.pending
        assert tally.pending >= 0


def test_reason_codes_are_counted_with_their_outcome() -> None:
    ledger = Ledger()
    candidate = Candidate(RagRun(), "faithfulness", "v1")
    ledger.candidate(candidate)
    ledger.dropped(candidate, "queue_full")
    tally = ledger.scorers["faithfulness"]
    assert (tally.outcomes["dropped"], tally.codes["queue_full"]) == (1, 1)


class _Ear:
    """A listener that writes down what it hears."""

    def __init__(self) -> None:
        self.heard: list[tuple[object, ...]] = []

    def trace(self, decision: str, number: int) -> None:
        self.heard.append(("trace", decision, number))

    def run(self, run: RagRun | None, decision: str, code: str | None) -> None:
        self.heard.append(("run", run, decision, code))

    def candidate(self, candidate: Candidate) -> None:
        self.heard.append(("candidate", candidate.scorer))

    def settled(self, candidate: Candidate, outcome: str, code: str | None) -> None:
        self.heard.append(("settled", candidate.scorer, outcome, code))

    def queue(self, size: int, capacity: int) -> None:
        self.heard.append(("queue", size, capacity))


def test_listener_hears_every_entry_as_it_is_made() -> None:
    ear = _Ear()
    ledger = Ledger(ear)
    ledger.trace("not_taken", 0)
    ledger.trace("not_taken", 3)
    ledger.run(None, "dropped", "trace_spoiled")
    candidate = Candidate(RagRun(), "faithfulness", "v1")
    ledger.candidate(candidate)
    ledger.queue(1, 256)
    ledger.evaluated(
        candidate,
        Evaluation(
            run=RagRun(), outcome=Skip(scorer="faithfulness", code="no_answer"), evaluator_version="v1", judge_model="m"
        ),
    )
    assert ear.heard == [
        ("trace", "not_taken", 3),
        ("run", None, "dropped", "trace_spoiled"),
        ("candidate", "faithfulness"),
        ("queue", 1, 256),
        ("settled", "faithfulness", "skipped", "no_answer"),
    ]
