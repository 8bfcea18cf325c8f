"""The doctor's own RAG call: marked, and with a trace id that every sampler takes."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from opentelemetry.sdk.trace.id_generator import IdGenerator

from spanjudge import semconv
from spanjudge.sampling import MULTIPLIER

if TYPE_CHECKING:
    from collections.abc import Callable

    from opentelemetry.trace import SpanContext, Tracer

SCOPE: Final = "spanjudge.doctor"
NAME: Final = "spanjudge doctor"
_WHOLE: Final = 1 << 128
_INVERSE: Final = pow(MULTIPLIER, -1, _WHOLE)
# The low half of the id stays this small, so that the SDK's own ratio sampler takes it too.
_SMALL: Final = 1 << 40
_RANDOM: Final = random.SystemRandom()
_KIND, _GIVEN, _SAID = semconv.OPENINFERENCE_KIND, "input.value", "output.value"


@dataclass(frozen=True, slots=True)
class MarkedCall:
    """What the marked trace tells; ``reference`` None leaves it to the golden set."""

    question: str = "How long does the battery warranty last?"
    documents: tuple[str, ...] = (
        "The battery warranty lasts 24 months from the date of purchase.",
        "Water damage is not covered by the warranty.",
    )
    answer: str = "The battery warranty lasts 24 months from the date of purchase."
    reference: str | None = "The battery warranty lasts 24 months."


def forced_trace_id(chosen: int) -> int:
    """Make a trace id that is taken at every rate above 0: its hash is 0, and its low half is ``chosen``.

    ``MULTIPLIER`` is odd, so it has an inverse modulo 2**128 (extended Euclid), and a product below 2**64 hashes to 0.

    Args:
        chosen: Which of them, 1 to 2**40.

    >>> from spanjudge.sampling import trace_hash
    >>> trace_hash(forced_trace_id(7)), forced_trace_id(7) % 2**64
    (0, 7)
    """
    product = (chosen * MULTIPLIER) % (1 << 64)
    return (product * _INVERSE) % _WHOLE


class ForcedIds(IdGenerator):
    """Ids of which every trace is taken.

    Args:
        number: Gives a number of so many bits.
    """

    def __init__(self, number: Callable[[int], int] = _RANDOM.getrandbits) -> None:
        self._number = number

    def generate_span_id(self) -> int:
        """Make a span id."""
        return self._number(64) or 1

    def generate_trace_id(self) -> int:
        """Make a trace id."""
        return forced_trace_id(self._number(_SMALL.bit_length() - 1) + 1)


def send(tracer: Tracer, call: MarkedCall) -> SpanContext:
    """Make the call's spans as an OpenInference instrumentation would; return the context of the outermost."""
    marked = {semconv.DOCTOR_MARK: True}
    with tracer.start_as_current_span(NAME, attributes={**marked, _KIND: "CHAIN", _GIVEN: call.question}) as chain:
        if call.reference is not None:
            chain.set_attribute(semconv.GROUND_TRUTH, call.reference)
        with tracer.start_as_current_span("retrieve", attributes=marked) as retriever:
            retriever.set_attributes({_KIND: "RETRIEVER", _GIVEN: call.question})
            for rank, text in enumerate(call.documents):
                prefix = f"retrieval.documents.{rank}.document."
                retriever.set_attributes({prefix + "id": f"doctor-{rank}", prefix + "content": text})
        with tracer.start_as_current_span("answer", attributes=marked) as model:
            model.set_attributes({_KIND: "LLM", _GIVEN: call.question, _SAID: call.answer})
        chain.set_attribute(_SAID, call.answer)
        return chain.get_span_context()
