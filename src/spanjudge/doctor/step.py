"""What was found at each step of the way."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias, get_args

State: TypeAlias = Literal["ok", "note", "lost", "not_tried"]
StepName: TypeAlias = Literal[
    "settings",
    "limits",
    "golden",
    "judge",
    "recorded",
    "taken",
    "assembled",
    "complete",
    "sampled",
    "reference",
    "judged",
    "span",
    "log_event",
    "metric",
    "otlp_traces",
    "otlp_logs",
    "otlp_metrics",
]


STEP_NAMES: Final[tuple[StepName, ...]] = get_args(StepName)


@dataclass(frozen=True, slots=True)
class Step:
    """One step: ``said`` tells what was found, ``do`` what to do about it; both without a full stop at the end.

    A ``note`` loses nothing, but is worth knowing. ``facts`` are figures for programs.
    """

    name: StepName
    state: State
    said: str
    do: str = ""
    facts: Mapping[str, object] = field(default_factory=dict)

    @property
    def sentence(self) -> str:
        """What was found and what to do, as one sentence.

        >>> Step("taken", "lost", "its trace was not taken", "set sample_rate above 0").sentence
        'Lost at step "taken": its trace was not taken; set sample_rate above 0.'
        """
        start = f'Lost at step "{self.name}": ' if self.state == "lost" else ""
        end = f"; {self.do}" if self.do else ""
        return f"{start}{self.said}{end}."


Tell: TypeAlias = Callable[[Step], None]


def first_lost(steps: Sequence[Step]) -> Step | None:
    """Return the first step that loses something."""
    return next((step for step in steps if step.state == "lost"), None)
