"""Scores the RAG calls that OpenTelemetry traces already carry."""

from spanjudge.evals.run import run_evals
from spanjudge.model import Document, Failure, RagRun, Score, Skip
from spanjudge.processor import JudgeSpanProcessor
from spanjudge.scorers import captured_context
from spanjudge.scorers.scorer import Scorer

__all__ = [
    "Document",
    "Failure",
    "JudgeSpanProcessor",
    "RagRun",
    "Score",
    "Scorer",
    "Skip",
    "captured_context",
    "run_evals",
]
