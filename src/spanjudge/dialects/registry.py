"""All dialects, in order of precedence, and what is asked of them together."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from itertools import chain
from typing import TYPE_CHECKING, Final

from spanjudge import semconv
from spanjudge.dialects import (
    google_adk,
    haystack,
    langfuse,
    litellm,
    logfire,
    mastra,
    mlflow,
    openinference,
    otel_genai,
    plain,
    pydantic_ai,
    recorded,
    semantic_kernel,
    spring_ai,
    strands,
    traceloop,
    vector_store,
    vercel_ai,
)
from spanjudge.dialects.attributes import is_redacted
from spanjudge.dialects.facts import Dialect, Facts, Kind, merge

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spanjudge.dialects.plain_mapping import PlainMapping
    from spanjudge.sources.record import Attributes, SpanRecord

DIALECTS: Final[tuple[Dialect, ...]] = (
    openinference,
    otel_genai,
    pydantic_ai,
    mastra,
    strands,
    google_adk,
    semantic_kernel,
    traceloop,
    langfuse,
    mlflow,
    haystack,
    vercel_ai,
    spring_ai,
    vector_store,
    litellm,
    logfire,
    plain,
    recorded,
)

_SCOPES: Final = tuple(scope for dialect in DIALECTS for scope in dialect.scopes)
_SESSIONS: Final = ("session.id",)
_USERS: Final = ("user.id", "enduser.id")


def kind_of(span: SpanRecord, mapping: PlainMapping | None = None) -> Kind | None:
    """What a span does, in the first dialect that tells; costs some look-ups of single attributes."""
    known: Kind | None = next((kind for dialect in DIALECTS if (kind := dialect.kind(span))), None)
    return plain.kind_as_mapped(span, mapping) if known is None and mapping else known


def is_rag(span: SpanRecord, mapping: PlainMapping | None = None) -> bool:
    """Whether a span, started or ended, belongs to a run: by its attributes, or by its instrumentation scope."""
    if span.scope.startswith(_SCOPES):
        return True
    if any(dialect.speaks(span) for dialect in DIALECTS):
        return True
    return bool(mapping and plain.speaks_as_mapped(span, mapping))


def is_own(span: SpanRecord) -> bool:
    """Whether a span is no part of a run: it tells of judging, ours or another's, or is the shadow of another span."""
    return span.scope == semconv.SCOPE or kind_of(span) == "evaluator" or logfire.is_shadow(span)


def read(span: SpanRecord, mapping: PlainMapping | None = None) -> Facts:
    """All that a span says: first where the user says that it stands, then in all dialects that it bears marks of."""
    mapped = plain.read_as_mapped(span, mapping) if mapping else Facts()
    facts = reduce(merge, (dialect.read(span) for dialect in DIALECTS if dialect.speaks(span)), mapped)
    given = span.attributes
    return replace(
        facts,
        kind=kind_of(span, mapping),
        session=mapped.session or _text(span, _SESSIONS) or facts.session,
        user=mapped.user or _text(span, _USERS) or facts.user,
        ground_truth=truth
        if isinstance(truth := given.get(semconv.GROUND_TRUTH), str) and truth.strip() and not is_redacted([truth])
        else facts.ground_truth,
    )


def _text(span: SpanRecord, names: tuple[str, ...]) -> str | None:
    """The first of some attributes that the span or a log record of it has."""
    return next(
        (str(value) for each in _places(span) for name in names if (value := each.get(name)) not in (None, "")), None
    )


def _places(span: SpanRecord) -> Iterator[Attributes]:
    return chain((span.attributes,), (part.attributes for part in span.logs))
