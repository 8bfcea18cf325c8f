"""MLflow's tracing, exported as OTLP: every value is JSON, texts stand in quotes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from spanjudge import semconv
from spanjudge.dialects.attributes import text
from spanjudge.dialects.decode import decode
from spanjudge.dialects.steps import facts_of_step

if TYPE_CHECKING:
    from spanjudge.dialects.facts import Facts, Kind
    from spanjudge.sources.record import SpanRecord

name: Final = "mlflow"
scopes: Final = ("mlflow.",)

_TYPE: Final = "mlflow.spanType"
_INPUT: Final = "mlflow.spanInputs"
_OUTPUT: Final = "mlflow.spanOutputs"
_SCOPE: Final = "mlflow."
_KINDS: Final[dict[str, Kind]] = {
    "AGENT": "agent",
    "WORKFLOW": "workflow",
    "CHAIN": "chain",
    "TASK": "chain",
    "LLM": "llm",
    "CHAT_MODEL": "llm",
    "RETRIEVER": "retriever",
    "RERANKER": "reranker",
    "TOOL": "tool",
    "EMBEDDING": "embedding",
    "GUARDRAIL": "guardrail",
    "EVALUATOR": "evaluator",
}


def kind(span: SpanRecord) -> Kind | None:
    """What the span does; with the GenAI names switched on, MLflow writes its own type there."""
    word = decode(span.attributes.get(_TYPE), quoted=True)
    if word is None and span.scope.startswith(_SCOPE):
        word = span.attributes.get(semconv.OPERATION_NAME)
    return _KINDS.get(word) if isinstance(word, str) else None


def speaks(span: SpanRecord) -> bool:
    """Whether the span bears this dialect's marks."""
    given = span.attributes
    return _TYPE in given or _INPUT in given or (span.scope.startswith(_SCOPE) and semconv.OPERATION_NAME in given)


def read(span: SpanRecord) -> Facts:
    """All that the span says, decoded."""
    given = {key: decode(value, quoted=True) for key, value in span.attributes.items() if key not in (_INPUT, _OUTPUT)}
    taken, said = span.attributes.get(_INPUT), span.attributes.get(_OUTPUT)
    return replace(
        facts_of_step(span, kind(span), taken, said, dialect=name, quoted=True),
        session=text(given, "mlflow.trace.session"),
        user=text(given, "mlflow.trace.user"),
        model=text(given, "mlflow.llm.model"),
    )
