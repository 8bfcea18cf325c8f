"""A captured run as the command line prints it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spanjudge.model import RagRun


def capture_json(run: RagRun) -> dict[str, object]:
    """Turn a run into plain data that any JSON encoder takes."""
    target = run.target
    return {
        "trace_id": target.trace_id if target else None,
        "target_span_id": target.span_id if target else None,
        "query": run.query,
        "contexts": None
        if run.contexts is None
        else [
            {
                "id": document.id,
                "text": document.text,
                "score": document.score,
                "score_kind": document.score_kind,
                "rank": document.rank,
                "source_span_id": document.source_span_id,
            }
            for document in run.contexts
        ],
        "answer": run.answer,
        "ground_truth": run.ground_truth,
        "session_id": run.session_id,
        "user_id": run.user_id,
        "model": run.model,
        "agent": run.agent,
        "dialects": list(run.dialects),
        "complete": run.complete,
        "skip_reason": run.skip_reason,
        "warnings": list(run.warnings),
    }
