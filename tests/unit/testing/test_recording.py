from __future__ import annotations

import threading

from spanjudge.model import Evaluation, Failure, Outcome, Score
from spanjudge.testing import RecordingSink, rag_run


def _evaluation(outcome: Outcome) -> Evaluation:
    return Evaluation(run=rag_run(), outcome=outcome, evaluator_version="v", judge_model="m")


SCORE = Score(scorer="s", share=0.5, score=0.5, label="fair")
FAILURE = Failure(scorer="s", code="judge_timeout")


def test_evaluations_are_kept_in_order() -> None:
    sink = RecordingSink()
    for outcome in (SCORE, FAILURE):
        sink.emit(_evaluation(outcome))
    assert sink.outcomes == [SCORE, FAILURE]
    assert [evaluation.judge_model for evaluation in sink.evaluations] == ["m", "m"]
    assert (sink.scores("s"), sink.scores("other")) == ([0.5], [])


def test_waiting_ends_when_another_thread_has_emitted_enough() -> None:
    sink = RecordingSink()
    thread = threading.Thread(target=lambda: sink.emit(_evaluation(SCORE)))
    thread.start()
    assert sink.wait(1, timeout_s=10)
    thread.join()


def test_waiting_for_what_never_comes_ends_too() -> None:
    assert not RecordingSink().wait(1, timeout_s=0)
