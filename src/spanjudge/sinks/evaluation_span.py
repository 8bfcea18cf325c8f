"""An evaluation as a span of its own under the span it is about, in whatever backend the application uses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from opentelemetry import trace
from opentelemetry.trace import Link, SpanKind, Status, StatusCode

from spanjudge import semconv
from spanjudge.model import Failure, Score, Skip
from spanjudge.sinks.attributes import of_provenance, of_result, sendable
from spanjudge.sinks.scope import SCOPE_VERSION
from spanjudge.sinks.target import context_of, span_context

if TYPE_CHECKING:
    from opentelemetry.trace import TracerProvider

    from spanjudge.guard import Guard
    from spanjudge.model import Evaluation


# Jaeger makes one reference of parent and link, and would otherwise show the link's kind.
JAEGER_CHILD: Final = {"opentracing.ref_type": "child_of"}
NO_PROVIDER: Final = (
    "Scores have no tracer provider to go to: pass tracer_provider= to JudgeSpanProcessor,"
    " or set the global one by opentelemetry.trace.set_tracer_provider()."
)


class EvaluationSpanSink:
    """Makes one ended span for each score and each failure (skips make none).

    Args:
        tracer_provider: Where the span is made (default: the global provider).
        guard: Told where there is no provider that could take the span.
    """

    def __init__(self, tracer_provider: TracerProvider | None = None, guard: Guard | None = None) -> None:
        self._guard = guard
        self._tracer = trace.get_tracer(semconv.SCOPE, SCOPE_VERSION, tracer_provider=tracer_provider)

    def emit(self, evaluation: Evaluation, /) -> None:
        """Make the span, unless there is nothing to show or the target is in no backend."""
        target, outcome = evaluation.run.target, evaluation.outcome
        if target is None or not target.sampled or isinstance(outcome, Skip):
            return
        span = self._tracer.start_span(
            semconv.EVALUATION_SPAN_PREFIX + outcome.scorer,
            context=context_of(target),
            kind=SpanKind.INTERNAL,
            links=[Link(span_context(target), JAEGER_CHILD)],
            start_time=evaluation.started_ns,
            attributes={**of_result(evaluation), **of_provenance(evaluation), **_openinference(evaluation)},
        )
        if isinstance(outcome, Failure):
            span.set_status(Status(StatusCode.ERROR, outcome.code))
        span.end(end_time=evaluation.ended_ns)
        if self._guard and span.get_span_context().span_id == int(target.span_id, 16):
            # Without an SDK's provider the API hands the parent's context back.
            self._guard.tell("tracer provider", NO_PROVIDER)


def _openinference(evaluation: Evaluation) -> dict[str, str | float]:
    """Say the same once more for readers of OpenInference (its specification, "Annotations")."""
    outcome, prefix = evaluation.outcome, semconv.OPENINFERENCE_EVALUATION
    attributes: dict[str, str | float] = {
        semconv.OPENINFERENCE_KIND: semconv.OPENINFERENCE_EVALUATOR,
        prefix + "name": outcome.scorer,
        prefix + "annotator_kind": semconv.ANNOTATOR_CODE
        if evaluation.judge_model in semconv.CODE_JUDGES
        else semconv.ANNOTATOR_LLM,
        prefix + "identifier": evaluation.evaluator_version,
    }
    if isinstance(outcome, Score):
        attributes[prefix + "score"] = outcome.score
        attributes[prefix + "label"] = outcome.label
        if outcome.reason:
            attributes[prefix + "explanation"] = sendable(outcome.reason)
    return attributes
