"""One series' alarm: a baseline from its first units, then evidence that the mean has fallen below it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from spanjudge.detect.betting import lower_bound
from spanjudge.detect.checks import check_score, check_weight
from spanjudge.detect.e_detector import EDetector
from spanjudge.detect.e_process import EProcess
from spanjudge.detect.moments import Moments
from spanjudge.detect.regression_settings import RegressionSettings
from spanjudge.detect.saved import numbers, part, rows, text, whole

if TYPE_CHECKING:
    from collections.abc import Mapping

    from spanjudge.detect.regression_settings import DetectorKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """What was good: mean of the first ``n`` units, its lower confidence bound, and the mean that is watched."""

    n: int
    mean: float
    lower: float
    mu0: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Where the alarm stands. Logarithms are natural (nat), and None until there is a baseline and a unit after it.

    ``collected`` counts units towards the baseline, ``updates`` those after it, since the last reset.
    """

    log_current: float | None
    log_max: float | None
    threshold: float
    crossed: bool
    baseline: Baseline | None
    collected: int
    updates: int


class RegressionDetector:
    """Raises an alarm when a series' mean falls below its own past, and keeps its promise however often one looks.

    The first ``baseline_n`` units fix the baseline: the lower confidence bound of their mean at ``alpha`` times
    ``baseline_share``, less ``tolerance``. From then on each unit moves the evidence against "the mean is still at
    least that". Feed one update per independent unit: a session enters once, with its mean.

    >>> detector = RegressionDetector(baseline_n=50, alpha=0.05)
    >>> for _ in range(50):
    ...     evidence = detector.update(0.9)
    >>> round(evidence.baseline.lower, 2), evidence.crossed
    (0.82, False)
    >>> for _ in range(10):
    ...     evidence = detector.update(0.1)
    >>> evidence.crossed
    True

    Args:
        baseline_n: Units that make the baseline, at least 1. Few make a low bound that sees only great falls: to see
            0.8 fall to 0.7, take some 200 for scores that are seldom 0 or 1, and 1000 for scores that are always.
        tolerance: Fall below the baseline's bound that nobody needs to hear of, 0..1.
        alpha: Chance of a false alarm in the lifetime of one baseline (``e_process``), split between a baseline that
            came out too high and evidence that rose by luck. For several series give each its part of it.
        baseline_share: The baseline's share of ``alpha``, above 0 and below 1.
        max_weight: Greatest weight that can come up: 1 / the lowest inclusion probability.
        kind: ``e_process`` promises ``alpha`` till the next reset; ``e_detector`` promises ``arl`` and stays quick
            after a long calm, given a baseline that did not come out too high.
        arl: Updates until a false alarm, on average, at least (``e_detector``). For "fewer than one a year" give
            units a year times the number of series.
        floor: Watch this mean instead of a baseline, 0 or more and below 1.
        detector_id: Name of this detector, kept in its state.

    Raises:
        ValueError: Where an argument is outside its range.
    """

    def __init__(  # noqa: PLR0913 - settings by name
        self,
        *,
        baseline_n: int = 200,
        tolerance: float = 0.02,
        alpha: float = 0.05,
        baseline_share: float = 0.5,
        max_weight: float = 1.0,
        kind: DetectorKind = "e_process",
        arl: float = 5000.0,
        floor: float | None = None,
        detector_id: str = "",
    ) -> None:
        self.settings = RegressionSettings(
            baseline_n=baseline_n,
            tolerance=tolerance,
            alpha=alpha,
            baseline_share=baseline_share,
            max_weight=max_weight,
            kind=kind,
            arl=arl,
            floor=floor,
        )
        self.detector_id = detector_id
        self._units: tuple[tuple[float, float], ...] = ()
        self._baseline: Baseline | None = None
        self._process: EProcess | EDetector | None = None
        if floor is not None:
            self._process = self._start(floor)

    def update(self, x: float, weight: float = 1.0) -> Evidence:
        """Take one independent unit in.

        Args:
            x: The unit's score, 0..1.
            weight: 1 / its inclusion probability, above 0 and at most ``max_weight``.

        Raises:
            ValueError: Where one of them is outside its range; nothing has changed then.
        """
        check_score(x)
        check_weight(weight, self.settings.max_weight)
        if self._process is None:
            self._units = (*self._units, (x, weight))
            if len(self._units) >= self.settings.baseline_n:
                self._freeze()
        else:
            self._process = self._process.update(x, weight)
        return self.evidence

    @property
    def evidence(self) -> Evidence:
        """Where the alarm stands."""
        process, threshold = self._process, self.settings.threshold
        seen = process if process is not None and process.n else None
        log_max = seen.log_max if seen else None
        return Evidence(
            log_current=seen.log_current if seen else None,
            log_max=log_max,
            threshold=threshold,
            crossed=log_max is not None and log_max >= threshold,
            baseline=self._baseline,
            collected=self._baseline.n if self._baseline else len(self._units),
            updates=seen.n if seen else 0,
        )

    def reset(self, *, new_baseline: bool = False) -> None:
        """Begin the evidence anew, as after an alarm that was dealt with; ``new_baseline`` collects that anew too.

        Each reset starts a new lifetime, with the whole of ``alpha`` to lose.
        """
        if new_baseline:
            self._baseline, self._process, self._units = None, None, ()
        if self.settings.floor is not None:
            self._process = self._start(self.settings.floor)
        elif self._baseline is not None:
            self._process = self._start(self._baseline.mu0)

    def to_dict(self) -> dict[str, object]:
        """Plain data to keep, fit for JSON: settings, baseline, evidence, id."""
        return {
            "detector_id": self.detector_id,
            "settings": self.settings.to_dict(),
            "units": [list(unit) for unit in self._units],
            "baseline": asdict(self._baseline) if self._baseline else None,
            "process": self._process.to_dict() if self._process else None,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, object]) -> RegressionDetector:
        """Take up what ``to_dict`` kept, settings and id included; compare ``.settings`` to notice that they changed.

        Raises:
            ValueError: Where it is not such data.
        """
        detector = cls(detector_id=text(data, "detector_id"))
        detector.settings = RegressionSettings.from_dict(part(data, "settings"))
        if data.get("baseline") is not None:
            kept = part(data, "baseline")
            mean, lower, mu0 = (numbers(kept, key)[0] for key in ("mean", "lower", "mu0"))
            detector._baseline = Baseline(n=whole(kept, "n"), mean=mean, lower=lower, mu0=mu0)
        if data.get("process") is not None:
            made = EProcess if detector.settings.kind == "e_process" else EDetector
            detector._process = made.from_dict(part(data, "process"))
        detector._units = rows(data, "units")
        for x, weight in detector._units:
            check_score(x)
            check_weight(weight, detector.settings.max_weight)
        return detector

    def _freeze(self) -> None:
        settings = self.settings
        moments = Moments()
        for x, weight in self._units:
            moments = moments.add(x, weight)
        lower = lower_bound(self._units, settings.alpha * settings.baseline_share, settings.max_weight)
        self._baseline = Baseline(
            n=moments.n,
            mean=moments.wx / moments.w,
            lower=lower,
            mu0=max(0.0, lower - settings.tolerance),
        )
        self._process = self._start(self._baseline.mu0)
        self._units = ()

    def _start(self, mu0: float) -> EProcess | EDetector:
        made = EProcess if self.settings.kind == "e_process" else EDetector
        return made.start(mu0=mu0, max_weight=self.settings.max_weight)
