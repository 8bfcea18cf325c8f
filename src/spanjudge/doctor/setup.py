"""A set-up checked end to end: settings, judge, golden set, then a marked trace through all of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from spanjudge.build import checked_rates
from spanjudge.clock import SystemClock
from spanjudge.doctor.follow import follow
from spanjudge.doctor.golden import golden_step
from spanjudge.doctor.judge import asked_judge, judge_step
from spanjudge.doctor.otlp import check_url, deliver
from spanjudge.doctor.settings import limits, resolved
from spanjudge.doctor.step import STEP_NAMES, Step, first_lost
from spanjudge.doctor.way import Way
from spanjudge.scorers.registry import chosen_scorers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spanjudge.doctor.step import StepName

# What the worker may take beside the judge, in seconds.
_MARGIN_S: Final = 5.0


def examine(judge: str | None = None, golden: str | None = None, otlp: str | None = None) -> Iterator[Step]:
    """Check a set-up step by step; after the first step that loses something the others are told as not tried.

    Args:
        judge: Name of the judge; None leaves it to ``SPANJUDGE_JUDGE``, the file, and the default.
        golden: Path of the golden set; None likewise.
        otlp: Base URL of an OTLP/HTTP receiver to export to as well.

    Raises:
        InputError: Where a setting, the golden set or the URL cannot be used.
    """
    done: list[Step] = []
    for step in _steps(judge, golden, otlp):
        done.append(step)
        yield step
    if first_lost(done):
        yield from (Step(name, "not_tried", "not tried") for name in _left(done, otlp=otlp is not None))


def _left(done: list[Step], *, otlp: bool) -> Iterator[StepName]:
    tried = {step.name for step in done}
    without_golden = any(step.name == "golden" and step.facts.get("path") is None for step in done)
    for name in STEP_NAMES:
        if name in tried or (name == "reference" and without_golden) or (name.startswith("otlp_") and not otlp):
            continue
        yield name


def _steps(judge: str | None, golden: str | None, otlp: str | None) -> Iterator[Step]:
    # Input that cannot be used is told before anything else.
    if otlp is not None:
        check_url(otlp)
    settings, found = resolved({"judge": judge, "ground_truth": golden})
    checked_rates(settings, chosen_scorers(settings.scorers))
    of_golden, call = golden_step(settings)
    asked = asked_judge(settings)
    yield found
    yield limits()
    yield of_golden
    step = judge_step(settings, asked, SystemClock())
    yield step
    if step.state == "lost":
        return
    timeout_s = settings.run_timeout_s + settings.lookup_timeout_s + _MARGIN_S
    trail = follow(call, judge=judge, golden=golden, timeout_s=timeout_s)
    lost = False
    for step in Way(trail, settings, golden=settings.ground_truth is not None).steps():
        lost = step.state == "lost"
        yield step
    if otlp is not None and not lost:
        yield from deliver(otlp, trail.emitted)
