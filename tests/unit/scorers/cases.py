"""The numeric cases of the four scorers, for any judge that says what it is told to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from spanjudge.scorers import (
    create_answer_relevancy_scorer,
    create_context_precision_scorer,
    create_context_recall_scorer,
    create_faithfulness_scorer,
)

if TYPE_CHECKING:
    from spanjudge.judge.ask import Judge
    from spanjudge.scorers import Scorer

Kind: TypeAlias = Literal["recall", "precision", "relevancy", "faithfulness"]
REASON = "Because the judge says so."


@dataclass(frozen=True)
class Case:
    """What the judge says, and the score that must come of it; ``counts`` is (total, yes, unsure, no, missing)."""

    id: str
    kind: Kind
    script: list[Any]
    score: float
    counts: tuple[int, int, int, int, int]
    options: dict[str, Any] = field(default_factory=dict)
    call: dict[str, Any] = field(default_factory=dict)
    skip_reason: str | None = None

    def scorer(self, judge: Judge) -> Scorer:
        return MAKERS[self.kind](judge, self.options)

    def arguments(self) -> dict[str, Any]:
        defaults = {"input": "What is it?", "output": "It is a thing.", "ground_truth": "It is a thing."}
        return {**defaults, **self.call}


MAKERS: dict[Kind, Any] = {
    "recall": lambda judge, options: create_context_recall_scorer(
        model=judge, **{"context": ["Einstein was born in 1879."], **options}
    ),
    "precision": lambda judge, options: create_context_precision_scorer(
        model=judge, **{"context": ["one", "two", "three", "four"], **options}
    ),
    "relevancy": lambda judge, options: create_answer_relevancy_scorer(model=judge, **options),
    "faithfulness": lambda judge, options: create_faithfulness_scorer(
        model=judge, **{"context": ["Founded in 1995."], **options}
    ),
}


def claims(count: int) -> dict[str, list[str]]:
    return {"claims": [f"Claim {number}." for number in range(count)]}


def verdicts(words: str | list[str], first: int = 0) -> dict[str, list[dict[str, Any]]]:
    listed = words.split() if isinstance(words, str) else words
    return {"verdicts": [{"index": first + at, "reason": f"r{at}", "verdict": word} for at, word in enumerate(listed)]}


def pieces(words: str | list[str], indexes: list[int] | None = None) -> dict[str, list[dict[str, Any]]]:
    listed = words.split() if isinstance(words, str) else words
    numbers = indexes or list(range(len(listed)))
    rows = zip(numbers, listed, strict=True)
    return {"verdicts": [{"context_index": at, "reason": f"r{at}", "verdict": word} for at, word in rows]}


def _counts(words: str | list[str], missing: int = 0) -> tuple[int, int, int, int, int]:
    listed = [word.strip().lower() for word in (words.split() if isinstance(words, str) else words)]
    yes, unsure, no = (listed.count(word) for word in ("yes", "unsure", "no"))
    return (len(listed) + missing, yes, unsure, no + missing, missing)


def _recall(number: str, words: str | list[str], score: float, **more: Any) -> Case:
    count = len(words.split() if isinstance(words, str) else words)
    script = [claims(count), verdicts(words), REASON]
    return Case(f"recall-{number}", "recall", script, score, _counts(words), **more)


def _precision(number: str, words: str | list[str], score: float, *, scale: float = 1) -> Case:
    listed = words.split() if isinstance(words, str) else words
    options = {"context": [f"piece {at}" for at in range(len(listed))], "scale": scale}
    return Case(f"precision-{number}", "precision", [pieces(listed), REASON], score, _counts(listed), options)


def _relevancy(number: str, words: str | list[str], score: float, **more: Any) -> Case:
    listed = words.split() if isinstance(words, str) else words
    results = [{"index": at, "reason": f"r{at}", "result": word} for at, word in enumerate(listed)]
    statements = {"statements": [f"Statement {at}." for at in range(len(listed))]}
    return Case(
        f"relevancy-{number}", "relevancy", [statements, {"results": results}, REASON], score, _counts(listed), **more
    )


def _faithfulness(number: str, words: str | list[str], score: float, **more: Any) -> Case:
    count = len(words.split() if isinstance(words, str) else words)
    script = [claims(count), verdicts(words), REASON]
    return Case(f"faithfulness-{number}", "faithfulness", script, score, _counts(words), **more)


def _nothing(number: str, kind: Kind, skip_reason: str | None, script: list[Any] | None = None, **more: Any) -> Case:
    return Case(f"{kind}-{number}", kind, script or [], 0.0, (0, 0, 0, 0, 0), skip_reason=skip_reason, **more)


_FOUR_COUNTER_QUESTIONS = "unsure no no"
_ZERO_CLAIMS = [claims(0)]

CASES: list[Case] = [
    # --- context recall: attributed claims / claims of the ground truth
    _recall("1", "yes yes no", 0.67),
    _recall("2", "yes yes", 1.0),
    _recall("3", "no no", 0.0),
    _recall("4", "yes yes", 10.0, options={"scale": 10}),
    _nothing("5", "recall", "no_ground_truth", call={"ground_truth": None}),
    _nothing("6", "recall", "no_ground_truth", call={"ground_truth": ""}),
    _nothing("7", "recall", "no_claims", _ZERO_CLAIMS, call={"ground_truth": "Hello!"}),
    _recall("10", "yes yes no", 6.67, options={"scale": 10}),
    Case(
        "recall-12",
        "recall",
        [claims(3), verdicts("yes yes"), verdicts([]), REASON],
        0.67,
        (3, 2, 0, 1, 1),
    ),
    Case(
        "recall-12-without-indexes",
        "recall",
        [claims(3), {"verdicts": [{"verdict": "yes"}, {"verdict": "yes"}]}, {"verdicts": []}, REASON],
        0.67,
        (3, 2, 0, 1, 1),
    ),
    _recall("14", ["Yes", " YES ", "No"], 0.67),
    Case(
        "recall-15",
        "recall",
        [claims(2), verdicts("yes partial"), verdicts("partial"), REASON],
        0.5,
        (2, 1, 0, 1, 1),
    ),
    _recall("17", "yes", 1.0, call={"ground_truth": {"a": 1}}),
    _recall("18", "yes no no yes no no no", 0.29),
    _nothing("20", "recall", None, options={"context": None, "context_extractor": lambda _input, _output: []}),
    # --- context precision: average precision
    _precision("1", "yes no yes no", 0.83),
    _precision("2", "yes yes", 1.0),
    _precision("3", "no no no", 0.0),
    _precision("4", "yes yes", 10.0, scale=10),
    _precision("9", "yes no no", 1.0),
    _precision("10", "no yes no yes", 0.5),
    _precision("11", ["no"] * 9 + ["yes"], 0.1),
    _precision("13", ["yes", *["no"] * 8, "yes"], 0.6),
    Case("precision-15", "precision", [pieces("no yes no yes", [3, 2, 1, 0]), REASON], 0.83, (4, 2, 0, 2, 0)),
    Case(
        "precision-17",
        "precision",
        [pieces("yes no yes", [0, 0, 1]), REASON],
        1.0,
        (2, 2, 0, 0, 0),
        {"context": ["one", "two"]},
    ),
    _precision("19", ["YES ", "no", " Yes"], 0.83),
    Case("precision-from-1", "precision", [pieces("yes no yes no", [1, 2, 3, 4]), REASON], 0.83, (4, 2, 0, 2, 0)),
    Case(
        "precision-lost-verdict-keeps-its-place",
        "precision",
        [pieces("yes yes", [0, 3]), pieces([]), REASON],
        0.75,
        (4, 2, 0, 2, 2),
    ),
    _precision("25", "yes no no no", 1.0),
    # --- answer relevancy: (yes + weight * unsure) / statements
    _relevancy("1", "yes", 1.0),
    _relevancy("2", "yes unsure no", 0.43),
    _relevancy("3", "no unsure", 0.15),
    _relevancy("4", "no", 0.0),
    _relevancy("5", "no", 0.0),
    _nothing("6", "relevancy", "no_answer", call={"output": ""}),
    _nothing("6-no-statements", "relevancy", "no_claims", [{"statements": []}], call={"output": "..."}),
    _relevancy("7", "unsure", 0.3),
    _relevancy("8", "yes", 1.0, call={"input": "What is the capital of France?", "output": "Paris"}),
    _relevancy("9", _FOUR_COUNTER_QUESTIONS, 0.1),
    _relevancy("10", "no", 0.0, call={"output": "Error 500"}),
    _relevancy("11", "yes unsure", 0.65),
    _relevancy("13", "unsure unsure", 0.3),
    _relevancy("14", "yes unsure", 0.5, options={"uncertainty_weight": 0}),
    _relevancy("16", "yes no", 5.0, options={"scale": 10}),
    _relevancy("17", ["YES ", " Unsure"], 0.65),
    _relevancy("22", "yes unsure", 6.5, options={"options": {"scale": 10}}),
    # --- faithfulness: supported claims / claims of the answer
    _faithfulness("1", "yes yes yes yes", 1.0),
    _faithfulness("2", "yes no no yes", 0.5),
    _faithfulness("3", "yes unsure unsure", 0.33),
    _nothing("4", "faithfulness", "no_answer", call={"output": ""}),
    _nothing("4-no-claims", "faithfulness", "no_claims", _ZERO_CLAIMS, call={"output": "Shall we?"}),
    _nothing("5", "faithfulness", None, options={"context": []}),
    _faithfulness("6", "unsure unsure unsure", 0.0),
    _faithfulness("7", "yes unsure unsure", 0.33),
    _faithfulness("8", "yes yes yes unsure", 0.75),
    _faithfulness("10", "yes unsure", 0.5),
    _faithfulness("11", "yes unsure", 0.5),
    _faithfulness("12", "yes", 1.0),
    _faithfulness("14", "yes yes no", 6.67, options={"scale": 10}),
    _faithfulness("17", ["Yes"], 1.0),
    _faithfulness("19", "no no", 0.0),
    _faithfulness("20", "unsure unsure", 0.0),
    # --- what judges really write
    Case("faithfulness-bare-array", "faithfulness", [["a", "b"], verdicts("yes yes"), REASON], 1.0, (2, 2, 0, 0, 0)),
    Case(
        "recall-1-of-3-judged",
        "recall",
        [claims(3), verdicts("yes"), verdicts([]), REASON],
        0.33,
        (3, 1, 0, 2, 2),
    ),
    Case(
        "recall-second-ask-fills-the-gap",
        "recall",
        [claims(3), pieces("yes no", [0, 2]), verdicts("yes"), REASON],
        0.67,
        (3, 2, 0, 1, 0),
    ),
    Case(
        "recall-more-verdicts-than-claims",
        "recall",
        [claims(2), verdicts("yes no yes yes"), REASON],
        0.5,
        (2, 1, 0, 1, 0),
    ),
    Case(
        "recall-korean",
        "recall",
        [
            {"claims": ["아인슈타인은 1879년에 태어났다.", "아인슈타인은 노벨상을 받았다."]},
            {
                "verdicts": [
                    {"index": 0, "reason": "[0]에 생년이 나온다.", "verdict": "yes"},
                    {"index": 1, "reason": "노벨상은 나오지 않는다.", "verdict": "no"},
                ]
            },
            REASON,
        ],
        0.5,
        (2, 1, 0, 1, 0),
        {"context": ["아인슈타인은 1879년 울름에서 태어났다."]},
        {"ground_truth": "아인슈타인은 1879년에 태어났고 노벨상을 받았다."},
    ),
    Case(
        "faithfulness-verdicts-as-judges-write-them",
        "faithfulness",
        [claims(4), verdicts(["**Yes**", '"yes"', "yes - stated in [0]", "Unsure."]), REASON],
        0.75,
        (4, 3, 1, 0, 0),
    ),
]
