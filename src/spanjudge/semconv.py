"""Every attribute, metric, event and span name, and every reason code, once."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

SCOPE: Final = "spanjudge"

# --- reason codes, in order of precedence -----------------------------------------------------------
SkipCode: TypeAlias = Literal[
    "own_judge",
    "opted_out",
    "duplicate",
    "late_span",
    "source_error",
    "canceled",
    "redacted",
    "attributes_dropped",
    "truncated",
    "no_content_captured",
    "no_query",
    "no_answer",
    "no_context_captured",
    "context_text_missing",
    "no_ground_truth",
    "empty_context",
    "no_claims",
]
FailureCode: TypeAlias = Literal[
    "judge_timeout",
    "judge_rate_limited",
    "judge_unavailable",
    "judge_auth",
    "judge_bad_request",
    "judge_refused",
    "judge_content_filter",
    "judge_parse_error",
    "judge_truncated",
    "budget_exhausted",
    "scorer_error",
]
DropCode: TypeAlias = Literal[
    "inbox_full", "queue_full", "trace_spoiled", "too_large", "shutdown", "spool_full", "spool_corrupt"
]
SKIP_CODES: Final[tuple[SkipCode, ...]] = get_args(SkipCode)
FAILURE_CODES: Final[tuple[FailureCode, ...]] = get_args(FailureCode)
DROP_CODES: Final[tuple[DropCode, ...]] = get_args(DropCode)

# A run with one of these is of no use to any scorer.
BLOCKING_CODES: Final[frozenset[SkipCode]] = frozenset(SKIP_CODES[: SKIP_CODES.index("no_query")])

# --- evaluation: span, log event ---------------------------------------------------------------------
EVALUATION_SPAN_PREFIX: Final = "evaluate "
EVALUATION_EVENT: Final = "gen_ai.evaluation.result"
EVALUATION_NAME: Final = "gen_ai.evaluation.name"
SCORE_VALUE: Final = "gen_ai.evaluation.score.value"
SCORE_LABEL: Final = "gen_ai.evaluation.score.label"
EXPLANATION: Final = "gen_ai.evaluation.explanation"
ERROR_TYPE: Final = "error.type"
RESPONSE_ID: Final = "gen_ai.response.id"

OPENINFERENCE_KIND: Final = "openinference.span.kind"
OPENINFERENCE_EVALUATOR: Final = "EVALUATOR"
OPENINFERENCE_EVALUATION: Final = "evaluations.0.evaluation."
ANNOTATOR_LLM: Final = "LLM"
ANNOTATOR_CODE: Final = "CODE"
EMBEDDED_JUDGE: Final = "embedded"
NO_JUDGE: Final = "none"
CODE_JUDGES: Final = frozenset({EMBEDDED_JUDGE, NO_JUDGE})

OUTCOME: Final = "spanjudge.outcome"
COUNTS: Final = "spanjudge.counts."
EVALUATOR_VERSION: Final = "spanjudge.evaluator.version"
JUDGE_MODEL: Final = "spanjudge.judge.model"
INCLUSION_PROBABILITY: Final = "spanjudge.inclusion_probability"
SOURCE: Final = "spanjudge.source"
RUN_ID: Final = "spanjudge.run_id"
EVALUATION_ID: Final = "spanjudge.evaluation_id"
GROUND_TRUTH: Final = "spanjudge.ground_truth"
GOLDEN_CLOSENESS: Final = "spanjudge.golden.closeness"
GOLDEN_QUESTION: Final = "spanjudge.golden.question"
DOCTOR_MARK: Final = "spanjudge.doctor"

# --- what an application records by hand: names of attributes, and of parts beside a span --------------
RECORDED_QUERY: Final = "spanjudge.retrieval.query"
RECORDED_DOCUMENTS: Final = "spanjudge.retrieval.documents"
RECORDED_ANSWER: Final = "spanjudge.answer"
RETRIEVAL_PART: Final = "spanjudge.retrieval"
ANSWER_PART: Final = RECORDED_ANSWER
REFERENCE_PART: Final = GROUND_TRUTH

# --- metrics ------------------------------------------------------------------------------------------
METRIC_SCORE: Final = "gen_ai.evaluation.score"
METRIC_MOMENTS: Final = "spanjudge.score.moments"
METRIC_VERDICTS: Final = "spanjudge.verdicts"
METRIC_TRACES: Final = "spanjudge.traces"
METRIC_RUNS: Final = "spanjudge.runs"
METRIC_CANDIDATES: Final = "spanjudge.candidates"
METRIC_EVALUATIONS: Final = "spanjudge.evaluations"
METRIC_PENDING: Final = "spanjudge.pending"
METRIC_QUEUE_SIZE: Final = "spanjudge.queue.size"
METRIC_QUEUE_CAPACITY: Final = "spanjudge.queue.capacity"
METRIC_LAG: Final = "spanjudge.evaluation.lag"
METRIC_JUDGE_COST: Final = "spanjudge.judge.cost"
METRIC_CLIENT_DURATION: Final = "gen_ai.client.operation.duration"
METRIC_CLIENT_TOKENS: Final = "gen_ai.client.token.usage"
METRIC_EVIDENCE: Final = "spanjudge.regression.evidence"
METRIC_EVIDENCE_CURRENT: Final = "spanjudge.regression.evidence.current"
METRIC_THRESHOLD: Final = "spanjudge.regression.threshold"
METRIC_LAST_SCORE: Final = "spanjudge.last_score.time"

AGENT_NAME: Final = "gen_ai.agent.name"
DATA_SOURCE_ID: Final = "gen_ai.data_source.id"
MOMENT: Final = "spanjudge.moment"
VERDICT: Final = "spanjudge.verdict"
DECISION: Final = "spanjudge.decision"
REASON_CODE: Final = "spanjudge.reason_code"
JUDGE_MARK: Final = "spanjudge.judge"
DETECTOR: Final = "spanjudge.detector"
DETECTOR_ID: Final = "spanjudge.detector.id"
TOKEN_TYPE: Final = "gen_ai.token.type"  # noqa: S105 - an attribute name
OPERATION_NAME: Final = "gen_ai.operation.name"
REQUEST_MODEL: Final = "gen_ai.request.model"
PROVIDER_NAME: Final = "gen_ai.provider.name"

SCORE_BOUNDS: Final = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.999, 1.0)
LAG_BOUNDS: Final = (0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1800.0)
DURATION_BOUNDS: Final = (0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92)
TOKEN_BOUNDS: Final = (1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864)

RunDecision: TypeAlias = Literal["sampled", "not_sampled", "filtered", "over_budget", "incomplete", "dropped"]
OutcomeWord: TypeAlias = Literal["scored", "skipped", "failed", "dropped"]
