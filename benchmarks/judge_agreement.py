"""How far a judge agrees with human labels: balanced accuracy and AUROC by set and language.

Usage: python benchmarks/judge_agreement.py --data DIR [--judge embedded] [--limit N] [--json FILE]

DIR holds the labelled sets (docs/embedded-judge.md says which; benchmarks/fit_embedded.py reads the same). For the
embedded judge every figure is out of fold: ten folds by document or question, the models fitted on nine and asked on
the tenth. Intervals are 95 % bootstrap intervals that resample documents or questions. Another judge (any LiteLLM model
name) is asked with the scorers' own prompts; that costs one call a row, so think of --limit. Exit code 1 where English
attribution is below .70 balanced accuracy or .77 AUROC.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agreement import Judged, Line, line, markdown, print_table
from fit_embedded import FILES, RECIPES, Part, Row, features_of, fit, groups_of, index_of, read_rows

from spanjudge.judge.ask import Ask, JudgeError
from spanjudge.judge.embedded import EmbeddedJudge
from spanjudge.judge.embedded.claims import judge_claim
from spanjudge.judge.embedded.evidence import read_item
from spanjudge.judge.embedded.phrases import PHRASES
from spanjudge.judge.embedded.relevancy import judge_statement
from spanjudge.judge.embedded.ruling import EVEN, Ruling
from spanjudge.judge.embedded.usefulness import judge_context, read_target
from spanjudge.judge.select import judge_for
from spanjudge.scorers import answer_relevancy, context_precision, context_recall, faithfulness
from spanjudge.scorers.verdicts import BINARY, TERNARY

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from spanjudge.judge.ask import Judge
    from spanjudge.judge.embedded.coefficients import Model

FOLDS = 10
BARS = {"balanced_accuracy": 0.70, "auroc": 0.77}
GATED = "attribution, English"
WORDS = {"yes": 1.0, "unsure": 0.5, "no": 0.0}

# Title of a line, part, and which rows it is about.
LINES: tuple[tuple[str, Part, Callable[[Row], bool]], ...] = (
    (GATED, "attribution", lambda row: row["lang"] == "en"),
    ("  AttributionBench: Stanford-GenSearch", "attribution", lambda row: row["sub"] == "Stanford-GenSearch"),
    ("  AttributionBench: LFQA", "attribution", lambda row: row["sub"] == "LFQA"),
    ("  AttributionBench: AttributedQA", "attribution", lambda row: row["sub"] == "AttributedQA"),
    ("  AttributionBench: ExpertQA", "attribution", lambda row: row["sub"] == "ExpertQA"),
    ("  WiCE", "attribution", lambda row: row["set"] == "wice_dev"),
    ("attribution, Korean (KLUE-NLI)", "attribution", lambda row: row["lang"] == "ko"),
    ("attribution, Chinese (OCNLI)", "attribution", lambda row: row["lang"] == "zh"),
    ("usefulness, English and Chinese", "usefulness", bool),
    ("  English, without RGB", "usefulness", lambda row: row["lang"] == "en" and row["set"] != "rgb_en"),
    ("  WiCE", "usefulness", lambda row: row["set"] == "wice_dev"),
    ("  TREC-QA, question alone", "usefulness", lambda row: row["set"] == "trecqa_dev"),
    ("  RGB, English", "usefulness", lambda row: row["set"] == "rgb_en"),
    ("  RGB, Chinese", "usefulness", lambda row: row["set"] == "rgb_zh"),
    ("relevancy, English (constructed)", "relevancy", bool),
    ("  hard negatives", "relevancy", lambda row: row.get("negative") != "random"),
)


def judge_out_of_fold(rows: list[Row], part: Part) -> list[Judged]:
    """Judge every row with models that have seen nothing of its document or question."""
    groups = groups_of(rows)
    names = sorted(set(groups))
    random.Random(0).shuffle(names)  # noqa: S311 - folds, and the same each time
    fold_of = {group: at % FOLDS for at, group in enumerate(names)}
    features = [features_of(row, part) for row in rows]
    judged = []
    for fold in range(FOLDS):
        held = [at for at, group in enumerate(groups) if fold_of[group] == fold]
        models: dict[str, Model] = {}
        for recipe in RECIPES:
            seen = (
                [at for at, row in enumerate(rows) if fold_of[groups[at]] != fold and row["set"] in recipe.sets]
                if recipe.part == part
                else []
            )
            if seen:
                model = fit(recipe, [features[at] for at in seen], [rows[at]["label"] == "yes" for at in seen])
                models.update(dict.fromkeys(recipe.sets, model))
        for at in held:
            ruling = rule(rows[at], part, models[rows[at]["set"]])
            judged.append(Judged(rows[at], groups[at], ruling.support, ruling.support >= EVEN, ruling.verdict))
    return judged


def rule(row: Row, part: Part, model: Model) -> Ruling:
    """Judge one row as the embedded judge does, with a model given."""
    phrases = PHRASES["en"]
    if part == "attribution":
        return judge_claim(read_item(row["claim"]), index_of(row["contexts"]), phrases, model=model)
    if part == "relevancy":
        return judge_statement(read_item(row["question"]), row["statement"], phrases, model=model)
    target = read_target(row["question"], row["answer"])
    return judge_context(target, index_of([row["chunk"]]), phrases, model=model)


def ask_for(row: Row, part: Part) -> Ask:
    """The ask that the scorer of this part would make of a row."""
    if part == "attribution":
        return Ask(
            task="attribute",
            instructions=context_recall.ATTRIBUTE,
            contexts=tuple(row["contexts"]),
            items=(row["claim"],),
            answer_model=context_recall.Attributions,
            vocabulary=BINARY,
        )
    if part == "relevancy":
        return Ask(
            task="rate_relevancy",
            instructions=answer_relevancy.RATE,
            question=row["question"],
            items=(row["statement"],),
            answer_model=answer_relevancy.Relevances,
            vocabulary=TERNARY,
        )
    return Ask(
        task="rate_usefulness",
        instructions=context_precision.RATE.format(target="reference" if row["answer"] else "question"),
        contexts=(row["chunk"],),
        question=row["question"] or None,
        reference=row["answer"] or None,
        answer_model=context_precision.Usefulnesses,
        vocabulary=BINARY,
    )


async def judge_by_asking(judge: Judge, rows: list[Row], part: Part) -> list[Judged]:
    """Ask a judge for every row, eight at a time; rows without a usable answer are left out and named."""
    gate = asyncio.Semaphore(8)

    async def word_for(row: Row) -> str | None:
        async with gate:
            try:
                value: Any = (await judge.ask(ask_for(row, part))).value
            except JudgeError as error:
                print(f"left out {row['id']}: {error.code}")
                return None
        said = value.rows()
        return said[0].word.strip().lower() if said else None

    words = await asyncio.gather(*map(word_for, rows))
    return [
        Judged(row, group, WORDS.get(word, 0.0), word == "yes", word)
        for row, group, word in zip(rows, groups_of(rows), words, strict=True)
        if word is not None
    ]


def cpu_ms(rows: list[Row], part: Part) -> float:
    """CPU milliseconds that the embedded judge takes for one ask with one item, median of three passes."""
    judge, asks = EmbeddedJudge(), [ask_for(row, part) for row in rows]

    async def run() -> None:
        for ask in asks:
            await judge.ask(ask)

    passes = []
    for _ in range(3):
        started = time.process_time()
        asyncio.run(run())
        passes.append((time.process_time() - started) * 1_000 / len(asks))
    return sorted(passes)[1]


def verify(rows: list[Row]) -> dict[str, dict[str, int]]:
    """Count what the shipped judge's ``verify`` says by label, where labels tell contradiction from silence."""

    async def run() -> dict[str, dict[str, int]]:
        judge = EmbeddedJudge()
        table: dict[str, dict[str, int]] = {}
        for row in rows:
            ask = Ask(
                task="verify",
                instructions=faithfulness.VERIFY,
                contexts=tuple(row["contexts"]),
                items=(row["claim"],),
                answer_model=faithfulness.Verifications,
                vocabulary=TERNARY,
            )
            value: Any = (await judge.ask(ask)).value
            counts = table.setdefault(f"{row['set']} {row.get('label3', row['sub'])}", dict.fromkeys(WORDS, 0))
            counts[value.rows()[0].word] += 1
        return table

    return asyncio.run(run())


def relevancy_words(judged: Sequence[Judged]) -> dict[str, dict[str, int]]:
    """Count relevancy verdicts by label: no data are labelled unsure, so this shows what the word is worth."""
    table: dict[str, dict[str, int]] = {}
    for it in judged:
        table.setdefault(f"lfqa {it.row['label']}", dict.fromkeys(WORDS, 0))[it.word] += 1
    return table


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, default=os.environ.get("SPANJUDGE_JUDGE_DATA"), help="folder of the sets")
    parser.add_argument("--judge", default="embedded", help='"embedded" or a LiteLLM model name')
    parser.add_argument("--limit", type=int, default=None, help="rows of each set, for judges that cost money")
    parser.add_argument("--markdown", action="store_true", help="print the tables of the documentation instead")
    parser.add_argument("--json", type=Path, default=None, help="write the figures to this file too")
    arguments = parser.parse_args()
    if arguments.data is None:
        parser.error("give the folder of the labelled sets with --data or SPANJUDGE_JUDGE_DATA")
    embedded = arguments.judge == "embedded"
    judged: dict[Part, list[Judged]] = {}
    times: dict[str, float] = {}
    words: dict[str, dict[str, int]] = {}
    for part in FILES:
        rows = read_rows(Path(arguments.data), part)[: arguments.limit]
        if not embedded:
            judged[part] = asyncio.run(judge_by_asking(judge_for(arguments.judge), rows, part))
            continue
        judged[part] = judge_out_of_fold(rows, part)
        times[part] = round(cpu_ms(rows, part), 2)
        if part == "attribution":
            words = verify([row for row in rows if row["set"] != "ab_dev"])
    lines = [
        made
        for title, part, chosen in LINES
        if (made := line(title, [it for it in judged[part] if chosen(it.row)])) is not None
    ]
    if embedded:
        words |= relevancy_words(judged["relevancy"])
    name = EmbeddedJudge().fingerprint if embedded else arguments.judge
    stored = {"judge": name, "lines": [asdict(it) for it in lines], "cpu_ms": times, "verdicts": words}
    print(f"judge: {name}")
    if arguments.markdown:
        print(*markdown(stored), sep="\n\n")
    else:
        print_table(lines)
        print_details(times, words)
    if arguments.json:
        arguments.json.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")
    return met(lines)


def print_details(times: dict[str, float], words: dict[str, dict[str, int]]) -> None:
    if times:
        print("CPU per ask with one item: " + ", ".join(f"{part} {ms:.2f} ms" for part, ms in times.items()))
    if words:
        print("verdicts by label: verify (the shipped models), relevancy (out of fold)")
    for label, counts in sorted(words.items()):
        print(f"  {label:32}" + "  ".join(f"{word} {count}" for word, count in counts.items()))


def met(lines: Sequence[Line]) -> int:
    """Exit code: 1 where the gated line is below a bar."""
    gated = next((it for it in lines if it.title == GATED), None)
    if gated is None:
        print(f"no rows for the bar on {GATED}")
        return 1
    missed = [name for name, bar in BARS.items() if getattr(gated, name) < bar]
    for name in missed:
        print(f"bar not met: {GATED}, {name} {getattr(gated, name):.3f} < {BARS[name]:.2f}")
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
