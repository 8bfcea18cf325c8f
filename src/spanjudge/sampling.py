"""Which traces are judged: a hash of the whole trace id against a rate, nested across rates."""

from __future__ import annotations

from typing import Final

# Odd 128-bit multiplier; the upper half of the product's low 128 bits depends on every bit of the trace id, so the
# choice stays uniform after a head sampler has already chosen by some of the id's bits.
MULTIPLIER: Final = 0x9E3779B97F4A7C15F39CC0605CEDC835
MASK: Final = (1 << 128) - 1
HASH_BITS: Final = 64
_TH_DIGITS: Final = 14
_LEAST_ODDS: Final = 1.0 - 2.0**-52
_HEX: Final = frozenset("0123456789abcdef")


def trace_hash(trace_id: int) -> int:
    """Hash a 128-bit trace id to 64 bits (multiply-shift; Dietzfelbinger et al. 1997)."""
    return ((trace_id * MULTIPLIER) & MASK) >> HASH_BITS


def threshold(rate: float) -> int:
    """Return the bound that a trace's hash must stay below to be taken at ``rate`` in 0..1.

    >>> threshold(0.0), threshold(1.0) == 2**64
    (0, True)
    """
    return round(rate * (1 << HASH_BITS))


def taken(trace_id: int, rate: float) -> bool:
    """Whether a trace is taken at ``rate``; whatever is taken at a lower rate is taken at a higher one.

    >>> taken(0x4BF92F3577B34DA6A3CE929D0E0E4736, 1.0), taken(0x4BF92F3577B34DA6A3CE929D0E0E4736, 0.0)
    (True, False)
    """
    return trace_hash(trace_id) < threshold(rate)


def head_probability(trace_state: str) -> float:
    """Read the head sampler's probability out of a W3C trace state (``ot=th:…``), 1.0 where it has none.

    The rejection threshold is up to 14 hex digits, trailing zeros left out (OpenTelemetry specification, "TraceState:
    Probability Sampling").

    >>> head_probability("ot=th:8"), head_probability("vendor=x"), head_probability("ot=rv:1;th:c")
    (0.5, 1.0, 0.25)
    """
    for member in trace_state.split(","):
        key, _, value = member.strip().partition("=")
        if key == "ot":
            for entry in value.split(";"):
                name, _, digits = entry.partition(":")
                if name == "th":
                    return _acceptance(digits)
    return 1.0


def _acceptance(digits: str) -> float:
    if not 1 <= len(digits) <= _TH_DIGITS or not set(digits) <= _HEX:
        return 1.0
    return 1.0 - min(int(digits.ljust(_TH_DIGITS, "0"), 16) / 16**_TH_DIGITS, _LEAST_ODDS)
