"""The span processor that an application adds: a hash, a comparison, an append; all else happens elsewhere."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Final, TypeAlias

from opentelemetry.sdk.trace import SpanProcessor

from spanjudge.guard import Guard
from spanjudge.providers import Providers
from spanjudge.recording import join
from spanjudge.sampling import HASH_BITS, MASK, MULTIPLIER, threshold

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from os import PathLike

    from opentelemetry._logs import LoggerProvider
    from opentelemetry.context import Context
    from opentelemetry.metrics import MeterProvider
    from opentelemetry.sdk.trace import ReadableSpan, Span
    from opentelemetry.trace import TracerProvider
    from typing_extensions import Unpack

    from spanjudge.dialects.reading import Reading
    from spanjudge.golden import ReferenceFunction
    from spanjudge.judge.ask import Judge
    from spanjudge.scorers.scorer import Scorer
    from spanjudge.settings import Options
    from spanjudge.sinks import Sink
    from spanjudge.sources.beside import Beside

    GroundTruth: TypeAlias = str | PathLike[str] | Mapping[str, str] | ReferenceFunction

_MILLIS: Final = 1000.0


class JudgeSpanProcessor(SpanProcessor):
    """Captures RAG runs from ended spans, has a sample of them judged, and emits their scores.

    Add it to the tracer provider before the exporting processor, so that the scores of the last runs still go out
    when the provider is shut down.

    Args:
        judge: A LiteLLM model name, ``"embedded"`` (the default: no key, no network), or a Judge.
        scorers: Names, Scorer objects or functions (default: the four RAG scorers).
        sample_rate: Share of traces to judge, 0..1; or one per scorer id, ``"*"`` standing for the others.
        ground_truth: References for runs whose trace carries none: a JSONL or CSV file, a mapping from question to
            reference, a function of the question, or a list of these that are asked in turn.
        sinks: Further receivers of every evaluation.
        reading: How spans are read where common names do not do: attributes of your own, patterns of contexts in
            prompts, names of retrieval tools (:class:`spanjudge.dialects.reading.Reading`).
        tracer_provider: Where evaluation spans are made (default: the global one).
        meter_provider: Where metrics are recorded (default: the global one).
        logger_provider: Where log events are emitted (default: the global one).
        options: Any other setting of :class:`spanjudge.settings.Settings`; ``resolve_documents``, which gives the texts
            of a list of ids where telemetry carries only ids; ``embed_questions``, which gives vectors of a list of
            texts, to find golden questions by meaning.

    Raises:
        SettingsError: Where a setting cannot be used, in one sentence.
        InputError: Where a scorer, judge or golden set cannot be used, in one sentence.
    """

    def __init__(  # noqa: PLR0913 - the door of the product: each argument is a contract
        self,
        *,
        judge: str | Judge | None = None,
        scorers: Sequence[str | Scorer | Callable[..., object]] | None = None,
        sample_rate: float | Mapping[str, float] | None = None,
        ground_truth: GroundTruth | Sequence[GroundTruth] | None = None,
        sinks: Sequence[Sink] = (),
        reading: Reading | None = None,
        tracer_provider: TracerProvider | None = None,
        meter_provider: MeterProvider | None = None,
        logger_provider: LoggerProvider | None = None,
        **options: Unpack[Options],
    ) -> None:
        # What scoring needs is loaded here and not with spanjudge: applications import more than they use.
        from spanjudge.build import build  # noqa: PLC0415

        self._guard = Guard()
        self._worker, rate = build(
            {"judge": judge, "scorers": scorers, "sample_rate": sample_rate, "ground_truth": ground_truth, **options},
            sinks=tuple(sinks),
            reading=reading,
            providers=Providers(tracer_provider, meter_provider, logger_provider),
            guard=self._guard,
            not_taken=self._take_not_taken,
        )
        self._inbox = self._worker.inbox
        self._spans = self._inbox.spans
        # A hash below the threshold, written without the hash's last step: one big integer less for each span.
        self._bound = threshold(rate) << HASH_BITS
        self._not_taken = itertools.count()
        self._not_taken_read = 0
        join(self)

    def on_start(self, span: Span, parent_context: Context | None = None) -> None:
        """Note that a span of a taken trace is going on."""
        del parent_context
        try:
            if (span.context.trace_id * MULTIPLIER) & MASK < self._bound:  # pyright: ignore[reportOptionalMemberAccess]
                spans = self._spans
                if len(spans) < self._inbox.room:
                    spans.append(span)
                else:
                    self._inbox.crowded(span, span.context.trace_id)  # pyright: ignore[reportOptionalMemberAccess]
        except Exception as error:  # noqa: BLE001 - the border: nothing of ours may raise into the application
            self._guard.caught("on_start", error)

    def on_end(self, span: ReadableSpan) -> None:
        """Take the ended span of a taken trace in; count the local roots of the others."""
        try:
            if (span.context.trace_id * MULTIPLIER) & MASK < self._bound:  # pyright: ignore[reportOptionalMemberAccess]
                spans = self._spans
                if len(spans) < self._inbox.room:
                    spans.append(span)
                else:
                    self._inbox.crowded(span, span.context.trace_id)  # pyright: ignore[reportOptionalMemberAccess]
            else:
                parent = span.parent
                if parent is None or parent.is_remote:
                    next(self._not_taken)
        except Exception as error:  # noqa: BLE001 - the border: nothing of ours may raise into the application
            self._guard.caught("on_end", error)

    def wants(self, trace_id: int) -> bool:
        """Whether what stands beside a span of this trace is to be taken in: the hot test."""
        return (trace_id * MULTIPLIER) & MASK < self._bound

    def take(self, item: Beside) -> None:
        """Take in what stands beside a span of a wanted trace; where there is no room, its trace is spoiled."""
        spans = self._spans
        if len(spans) < self._inbox.room:
            spans.append(item)
        else:
            self._inbox.crowded(item, item.trace_id)

    def force_flush(self, timeout_millis: int = 30000) -> bool:
        """Judge every run whose outermost span has ended.

        Args:
            timeout_millis: The most that the caller is willing to wait, in milliseconds; it is kept.

        Returns:
            Whether everything was judged within the time.
        """
        try:
            return self._worker.force_flush(timeout_millis / _MILLIS)
        except Exception as error:  # noqa: BLE001 - the border: nothing of ours may raise into the application
            self._guard.caught("force_flush", error)
            return False

    def shutdown(self) -> None:
        """Judge what is pending within ``shutdown_timeout_s``, count the rest as dropped, and stop."""
        try:
            self._worker.shutdown()
        except Exception as error:  # noqa: BLE001 - the border: nothing of ours may raise into the application
            self._guard.caught("shutdown", error)

    def _take_not_taken(self) -> int:
        """Return the local roots left out since the last call; the count is read by counting once more."""
        counted = next(self._not_taken)
        fresh = counted - self._not_taken_read
        self._not_taken_read = counted + 1
        return fresh
