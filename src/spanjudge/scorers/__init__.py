"""The four RAG scorers, and the way to make one's own."""

from spanjudge.judge.ask import Ask
from spanjudge.model import Skip
from spanjudge.scorers.answer_relevancy import create_answer_relevancy_scorer
from spanjudge.scorers.context_precision import create_context_precision_scorer
from spanjudge.scorers.context_recall import create_context_recall_scorer
from spanjudge.scorers.contexts import captured_context
from spanjudge.scorers.custom import create_scorer
from spanjudge.scorers.faithfulness import create_faithfulness_scorer
from spanjudge.scorers.registry import DEFAULT_SCORERS, as_scorer
from spanjudge.scorers.result import ScorerError, ScorerResult
from spanjudge.scorers.scorer import Scorer
from spanjudge.scorers.steps import StepInput

__all__ = [
    "DEFAULT_SCORERS",
    "Ask",
    "Scorer",
    "ScorerError",
    "ScorerResult",
    "Skip",
    "StepInput",
    "as_scorer",
    "captured_context",
    "create_answer_relevancy_scorer",
    "create_context_precision_scorer",
    "create_context_recall_scorer",
    "create_faithfulness_scorer",
    "create_scorer",
]
