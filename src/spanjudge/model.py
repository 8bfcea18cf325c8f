"""What flows from a trace to a score: frozen data that any thread may hold."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from spanjudge.conversation import AgentInput, AgentOutput
    from spanjudge.semconv import FailureCode, SkipCode

ScoreKind: TypeAlias = Literal["similarity", "distance", "rerank", "unknown"]
VerdictWord: TypeAlias = Literal["yes", "unsure", "no"]
Source: TypeAlias = Literal["live", "canary", "offline"]
Label: TypeAlias = Literal["excellent", "good", "fair", "poor", "none"]


@dataclass(frozen=True, slots=True)
class Document:
    """One retrieved context; ``text`` is None where the telemetry carries only its id."""

    text: str | None
    id: str | None = None
    score: float | None = None
    score_kind: ScoreKind = "unknown"
    rank: int = 0
    source_span_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetSpan:
    """The span that the scores are about; ids are lower-case hex of 32 and 16 digits."""

    trace_id: str
    span_id: str
    name: str = ""
    sampled: bool = True
    trace_state: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldenMatch:
    """The golden question that gave a run its reference.

    ``question`` is the hash of its normalised form; ``closeness`` is 1 where it has the same words, else how close it
    is, 0..1; ``ids`` name the documents that hold the reference.
    """

    question: str
    closeness: float
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RagRun:
    """One RAG call, from question to answer.

    ``contexts`` is None where they were not captured and empty where the retriever returned nothing.
    ``skip_reason`` is the first skip code that holds (None: complete); ``warnings`` are codes that did not
    stop the run. ``attributes`` holds the few that the user named for metrics. Times are nanoseconds since
    the Unix epoch.
    """

    query: str | None = None
    contexts: tuple[Document, ...] | None = None
    answer: str | None = None
    ground_truth: str | None = None
    golden: GoldenMatch | None = None
    target: TargetSpan | None = None
    session_id: str | None = None
    user_id: str | None = None
    model: str | None = None
    agent: str | None = None
    data_source: str | None = None
    response_id: str | None = None
    dialects: tuple[str, ...] = ()
    skip_reason: SkipCode | None = None
    warnings: tuple[SkipCode, ...] = ()
    started_ns: int = 0
    ended_ns: int = 0
    input: AgentInput | None = None
    output: AgentOutput | None = None
    attributes: Mapping[str, str] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """Whether query, contexts and answer are there with their texts, and nothing was cut or errored."""
        return self.skip_reason is None

    @property
    def run_id(self) -> str:
        """Hash of trace and target span: the same run has the same id in any process."""
        target = self.target
        return digest(target.trace_id, target.span_id) if target else ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the judge said of one item; ``missing`` where it said nothing readable and the worst was taken."""

    item: str
    verdict: VerdictWord
    reason: str = ""
    missing: bool = False


@dataclass(frozen=True, slots=True)
class Counts:
    """Verdicts by word; ``missing`` ones are counted in ``no`` as well."""

    total: int = 0
    yes: int = 0
    unsure: int = 0
    no: int = 0
    missing: int = 0


@dataclass(frozen=True, slots=True)
class Usage:
    """What the judge consumed. A token count or cost (US dollars) that nobody told is None, never 0."""

    calls: int = 0
    input_tokens: int | None = 0
    cached_input_tokens: int | None = 0
    output_tokens: int | None = 0
    cost: float | None = 0.0

    def __add__(self, other: Usage) -> Usage:
        """Sum two usages; unknown plus anything is unknown."""
        return Usage(
            calls=self.calls + other.calls,
            input_tokens=_sum(self.input_tokens, other.input_tokens),
            cached_input_tokens=_sum(self.cached_input_tokens, other.cached_input_tokens),
            output_tokens=_sum(self.output_tokens, other.output_tokens),
            cost=None if self.cost is None or other.cost is None else self.cost + other.cost,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """A score made of usable verdicts: ``share`` is exact in 0..1, ``score`` is rounded on 0..scale."""

    scorer: str
    share: float
    score: float
    label: Label
    reason: str | None = None
    counts: Counts = field(default_factory=Counts)
    verdicts: tuple[Verdict, ...] = ()
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True, kw_only=True)
class Skip:
    """No score, because the run does not hold what the scorer needs."""

    scorer: str
    code: SkipCode
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """No score, because judging went wrong; ``detail`` is one sentence without content of the run."""

    scorer: str
    code: FailureCode
    detail: str = ""
    usage: Usage = field(default_factory=Usage)


Outcome: TypeAlias = Score | Skip | Failure


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """One outcome with all that the sinks tell of it. Times are nanoseconds since the Unix epoch."""

    run: RagRun
    outcome: Outcome
    evaluator_version: str
    judge_model: str
    inclusion_probability: float = 1.0
    source: Source = "live"
    started_ns: int = 0
    ended_ns: int = 0

    @property
    def evaluation_id(self) -> str:
        """Hash of run, scorer and evaluator version: a repeat is recognisable by it."""
        return digest(self.run.run_id, self.outcome.scorer, self.evaluator_version)


def digest(*parts: str) -> str:
    """Hash texts to 32 hex digits, so that no two different lists of parts meet."""
    hasher = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        hasher.update(len(data).to_bytes(8, "big"))
        hasher.update(data)
    return hasher.hexdigest()[:32]


def _sum(left: int | None, right: int | None) -> int | None:
    return None if left is None or right is None else left + right
