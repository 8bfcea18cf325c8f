"""What may enter the statistics, and the sentence for what may not."""

from __future__ import annotations

import math


def check_score(x: float) -> None:
    """Refuse a score outside 0..1.

    Raises:
        ValueError: Where it is outside, or no number.
    """
    if not 0.0 <= x <= 1.0:
        message = f"A score must be a share from 0 to 1, but it is {x!r}: give score / scale."
        raise ValueError(message)


def check_weight(weight: float, most: float = math.inf) -> None:
    """Refuse a weight that is not above 0, not finite, or above ``most``.

    Raises:
        ValueError: Where it is.
    """
    if not 0.0 < weight < math.inf:
        message = f"A weight must be a finite number above 0, but it is {weight!r}: give 1 / inclusion probability."
        raise ValueError(message)
    if weight > most:
        message = (
            f"A weight of {weight!r} is above the greatest announced, {most!r}: "
            f"set max_weight to 1 / the lowest sampling rate and start anew."
        )
        raise ValueError(message)


def check_share(name: str, value: float) -> None:
    """Refuse a probability that is not strictly between 0 and 1.

    Raises:
        ValueError: Where it is not.
    """
    if not 0.0 < value < 1.0:
        message = f'"{name}" must be above 0 and below 1, but it is {value!r}.'
        raise ValueError(message)
