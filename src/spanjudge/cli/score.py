"""``spanjudge score``: OTLP/JSON files in, runs and their outcomes out."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spanjudge.assembly import assemble, capture_json
from spanjudge.cli.show import show_run
from spanjudge.evals.offline import judge_runs
from spanjudge.golden import reference_lookup
from spanjudge.judge.select import judge_for
from spanjudge.model import Failure, Score
from spanjudge.scorers.registry import chosen_scorers
from spanjudge.settings import load
from spanjudge.sources.file import read_spans

if TYPE_CHECKING:
    from spanjudge.model import Evaluation, RagRun


def score(
    files: Annotated[list[str], typer.Argument(help="OTLP/JSON files, plain or .gz; - is standard input.")],
    capture_only: Annotated[
        bool, typer.Option("--capture-only", help="Print the assembled runs, ask no judge.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a line per run.")] = False,
    judge: Annotated[str | None, typer.Option(help='A LiteLLM model name, or "embedded" (the default).')] = None,
    golden: Annotated[str | None, typer.Option(help="JSONL or CSV file with question and ground_truth.")] = None,
    scorer: Annotated[list[str] | None, typer.Option(help="Scorer id; may be given several times.")] = None,
) -> None:
    """Score the RAG runs in OTLP/JSON files.

    What is not given here comes from SPANJUDGE_* variables and the settings file, as in an application.
    """
    settings = load({"judge": judge, "scorers": scorer or None, "ground_truth": golden})
    spans = [span for file in files for span in read_spans(file)]
    runs = assemble(spans)
    if capture_only:
        for run in runs:
            _print(run, [], as_json=as_json, judged=False)
        return
    evaluations = asyncio.run(
        judge_runs(
            runs,
            chosen_scorers(settings.scorers),
            judge_for(settings.judge, timeout_s=settings.judge_timeout_s, max_attempts=settings.judge_max_attempts),
            reference_lookup(settings.ground_truth),
            run_timeout_s=settings.run_timeout_s,
            concurrency=settings.concurrency,
        )
    )
    for run, of_run in zip(runs, evaluations, strict=True):
        _print(run, of_run, as_json=as_json, judged=True)
    _tell(spans=len(spans), runs=len(runs), outcomes=[item for of_run in evaluations for item in of_run])


def _print(run: RagRun, evaluations: list[Evaluation], *, as_json: bool, judged: bool) -> None:
    if not as_json:
        show_run(run, evaluations)
        return
    # The evaluations' run holds the reference that was found for it.
    record = capture_json(evaluations[0].run if evaluations else run)
    if judged:
        record["scores"] = {item.outcome.scorer: _record(item) for item in evaluations}
    sys.stdout.write(json.dumps(record, ensure_ascii=False) + "\n")


def _record(evaluation: Evaluation) -> dict[str, Any]:
    outcome = evaluation.outcome
    scored = outcome if isinstance(outcome, Score) else None
    counts = scored.counts if scored else None
    return {
        "outcome": "scored" if scored else "failed" if isinstance(outcome, Failure) else "skipped",
        "score": scored.score if scored else None,
        "label": scored.label if scored else None,
        "reason": scored.reason if scored else outcome.detail if isinstance(outcome, Failure) else None,
        "counts": {word: getattr(counts, word) for word in ("total", "yes", "unsure", "no", "missing")}
        if counts
        else None,
        "reason_code": None if isinstance(outcome, Score) else outcome.code,
        "evaluation_id": evaluation.evaluation_id,
    }


def _tell(*, spans: int, runs: int, outcomes: list[Evaluation]) -> None:
    """Say on standard error what was found, and leave with 2 where judging failed throughout."""
    if not runs:
        sys.stderr.write(f"spanjudge: {spans} spans were read, but none of them is part of a RAG run.\n")
    failures = [item.outcome for item in outcomes if isinstance(item.outcome, Failure)]
    if failures:
        first = failures[0]
        share = f"{len(failures)} of {len(outcomes)} evaluations failed"
        sys.stderr.write(f"spanjudge: {share}; the first: {first.code}: {first.detail}\n")
        if not any(isinstance(item.outcome, Score) for item in outcomes):
            raise typer.Exit(2)
