"""Scores the RAG calls that OpenTelemetry traces already carry."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from spanjudge.evals.run import run_evals
    from spanjudge.log_processor import JudgeLogProcessor
    from spanjudge.model import Document, Failure, RagRun, Score, Skip
    from spanjudge.processor import JudgeSpanProcessor
    from spanjudge.recording import record_answer, record_reference, record_retrieval
    from spanjudge.scorers.contexts import captured_context
    from spanjudge.scorers.scorer import Scorer

__all__ = [
    "Document",
    "Failure",
    "JudgeLogProcessor",
    "JudgeSpanProcessor",
    "RagRun",
    "Score",
    "Scorer",
    "Skip",
    "captured_context",
    "record_answer",
    "record_reference",
    "record_retrieval",
    "run_evals",
]

# Loaded on first use: an application that only adds the processor does not pay for offline evaluation.
_HOMES: Final = {
    "Document": "spanjudge.model",
    "Failure": "spanjudge.model",
    "JudgeLogProcessor": "spanjudge.log_processor",
    "JudgeSpanProcessor": "spanjudge.processor",
    "RagRun": "spanjudge.model",
    "Score": "spanjudge.model",
    "Scorer": "spanjudge.scorers.scorer",
    "Skip": "spanjudge.model",
    "captured_context": "spanjudge.scorers.contexts",
    "record_answer": "spanjudge.recording",
    "record_reference": "spanjudge.recording",
    "record_retrieval": "spanjudge.recording",
    "run_evals": "spanjudge.evals.run",
}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    value = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
