"""All dialects, in order of precedence, and what is asked of them together."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING, Final

from spanjudge import semconv
from spanjudge.dialects import openinference, otel_genai, recorded
from spanjudge.dialects.facts import Dialect, Facts, Kind, merge

if TYPE_CHECKING:
    from spanjudge.sources.record import SpanRecord

DIALECTS: Final[tuple[Dialect, ...]] = (
    openinference,
    otel_genai,
    recorded,
)

_SCOPES: Final = tuple(scope for dialect in DIALECTS for scope in dialect.scopes)
_SESSIONS: Final = ("session.id",)
_USERS: Final = ("user.id", "enduser.id")


def kind_of(span: SpanRecord) -> Kind | None:
    """What a span does, in the first dialect that tells; costs some look-ups of single attributes."""
    return next((kind for dialect in DIALECTS if (kind := dialect.kind(span))), None)


def is_rag(span: SpanRecord) -> bool:
    """Whether a span, started or ended, belongs to a run: by its attributes, or by its instrumentation scope."""
    if span.scope.startswith(_SCOPES):
        return True
    return any(dialect.speaks(span) for dialect in DIALECTS)


def is_own(span: SpanRecord) -> bool:
    """Whether a span tells of judging, ours or another's, and so is no part of a run."""
    return span.scope == semconv.SCOPE or kind_of(span) == "evaluator"


def read(span: SpanRecord) -> Facts:
    """All that a span says, in all dialects that it bears marks of."""
    spoken = [dialect.read(span) for dialect in DIALECTS if dialect.speaks(span)]
    facts = reduce(merge, spoken, Facts())
    given = span.attributes
    return replace(
        facts,
        session=_text(span, _SESSIONS) or facts.session,
        user=_text(span, _USERS) or facts.user,
        ground_truth=truth if isinstance(truth := given.get(semconv.GROUND_TRUTH), str) and truth.strip() else None,
    )


def _text(span: SpanRecord, names: tuple[str, ...]) -> str | None:
    return next((str(value) for name in names if (value := span.attributes.get(name)) not in (None, "")), None)
