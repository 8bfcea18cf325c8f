"""How a regression detector judges, checked once."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, cast, get_args

from spanjudge.detect.checks import check_share, check_weight
from spanjudge.detect.saved import numbers, text, whole

if TYPE_CHECKING:
    from collections.abc import Mapping

DetectorKind: TypeAlias = Literal["e_process", "e_detector"]
KINDS: Final[tuple[DetectorKind, ...]] = get_args(DetectorKind)


@dataclass(frozen=True, slots=True, kw_only=True)
class RegressionSettings:
    """How a detector judges; see ``RegressionDetector`` for each."""

    baseline_n: int = 200
    tolerance: float = 0.02
    alpha: float = 0.05
    baseline_share: float = 0.5
    max_weight: float = 1.0
    kind: DetectorKind = "e_process"
    arl: float = 5000.0
    floor: float | None = None

    def __post_init__(self) -> None:
        """Check every setting's range."""
        check_share("alpha", self.alpha)
        check_share("baseline_share", self.baseline_share)
        check_weight(self.max_weight)
        if self.baseline_n < 1:
            message = f'"baseline_n" must be a whole number of at least 1, but it is {self.baseline_n!r}.'
            raise ValueError(message)
        if not 0.0 <= self.tolerance < 1.0:
            message = f'"tolerance" must be at least 0 and below 1, but it is {self.tolerance!r}.'
            raise ValueError(message)
        if not 1.0 < self.arl < math.inf:
            message = f'"arl" must be a finite number of updates above 1, but it is {self.arl!r}.'
            raise ValueError(message)
        if self.floor is not None and not 0.0 <= self.floor < 1.0:
            message = f'"floor" must be at least 0 and below 1, but it is {self.floor!r}.'
            raise ValueError(message)
        if self.kind not in KINDS:
            message = f'"kind" must be one of {", ".join(KINDS)}, but it is {self.kind!r}.'
            raise ValueError(message)

    @property
    def threshold(self) -> float:
        """Log evidence at which the alarm is raised."""
        if self.kind == "e_detector":
            return math.log(self.arl)
        spent = 0.0 if self.floor is not None else self.baseline_share
        return -math.log(self.alpha * (1.0 - spent))

    def to_dict(self) -> dict[str, object]:
        """Plain data to keep, fit for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, object]) -> RegressionSettings:
        """Take up what ``to_dict`` kept.

        Raises:
            ValueError: Where it is not such data.
        """
        tolerance, alpha, share, weight, arl = (
            numbers(data, key)[0] for key in ("tolerance", "alpha", "baseline_share", "max_weight", "arl")
        )
        word = cast("DetectorKind", text(data, "kind"))  # the class itself refuses any other
        return cls(
            baseline_n=whole(data, "baseline_n"),
            tolerance=tolerance,
            alpha=alpha,
            baseline_share=share,
            max_weight=weight,
            kind=word,
            arl=arl,
            floor=None if data.get("floor") is None else numbers(data, "floor")[0],
        )
