"""Where programs run: a provider that keeps what ends, and captures with what the program knew."""

from __future__ import annotations

import contextlib
import json
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from model import Call, Model, Plan
from opentelemetry import trace
from opentelemetry._logs import set_logger_provider
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import SimpleLogRecordProcessor
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from otlp import Json, logs_json, merge, scrub, spans_of, traces_json
from profiles import Profile

Pick = Literal["first", "last"]


class _Kept:
    """An exporter that keeps spans or log records."""

    def __init__(self) -> None:
        self.items: list[Any] = []
        self._lock = threading.Lock()

    def export(self, batch: Any) -> Any:
        with self._lock:
            self.items.extend(batch)

    def shutdown(self, *_: Any, **__: Any) -> None:
        pass

    def force_flush(self, *_: Any, **__: Any) -> bool:
        return True

    def take(self) -> list[Any]:
        with self._lock:
            taken, self.items = self.items, []
        return taken


@dataclass
class Wanted:
    """A run as the program knows it, and how its target span is found."""

    record: Json
    target: str
    holding: str | None
    pick: Pick
    also: str | None
    among: frozenset[str]


@dataclass
class Capture:
    """One file in the making."""

    file: str
    contexts_from: str
    note: str
    profiles: list[str] = field(default_factory=list)
    runs: list[Wanted] = field(default_factory=list)
    facts: Json = field(default_factory=dict)
    ended: Callable[[], list[str]] = list
    _window: tuple[int, int] = (0, 0)

    def run(  # noqa: PLR0913 - a run has so many facts
        self,
        profile: Profile,
        target: str,
        contexts: list[Json] | None,
        *,
        query: str | None = "",
        answer: str | None = "",
        skip: str | None = None,
        holding: str | None = "",
        pick: Pick = "first",
        also: str | None = None,
        accept: Json | None = None,
        **more: Any,
    ) -> None:
        """Note a run: what was asked, found and answered; empty strings mean the profile's own.

        Its target is among the spans that ended since the run noted before (runs at the same time: among all of
        theirs). `holding` is a text that the target's spans hold; None: the target has no text to know it by.
        """
        record: Json = {
            "query": profile.question if query == "" else query,
            "contexts": contexts,
            "answer": profile.answer if answer == "" else answer,
            "complete": skip is None,
            **({"skip_reason": skip} if skip else {}),
            **({"also_accept": accept} if accept else {}),
            **more,
        }
        sign = (record["query"] or profile.question) if holding == "" else holding
        ended = self.ended()
        if len(ended) > self._window[1]:
            self._window = (self._window[1], len(ended))
        among = frozenset(ended[slice(*self._window)])
        self.runs.append(Wanted(record, target, sign, pick, also, among))
        if profile.name not in self.profiles:
            self.profiles.append(profile.name)


class Stage:
    """All that a program needs: the model, a tracer of the application, and captures."""

    def __init__(self, out: Path, only: str, *, own_provider: bool = True) -> None:
        self.out = out
        self.only = only
        self.model = Model()
        self.instrumentation = ""
        self.spans = _Kept()
        self.logs = _Kept()
        self.received: Callable[[], list[Json]] = list
        self.provider = TracerProvider(resource=Resource.create({"service.name": "rag-app"}))
        self.provider.add_span_processor(SimpleSpanProcessor(self.spans))
        self.logger_provider = LoggerProvider(resource=Resource.create({"service.name": "rag-app"}))
        self.logger_provider.add_log_record_processor(SimpleLogRecordProcessor(self.logs))
        if own_provider:
            trace.set_tracer_provider(self.provider)
            set_logger_provider(self.logger_provider)
        self.tracer = self.provider.get_tracer("my-app")

    def plan(self, profile: Profile, *rounds: tuple[Call, ...], fails: bool = False) -> Profile:
        self.model.tell(Plan(profile.question, profile.answer, rounds, fails))
        return profile

    def search(self, profile: Profile, *tools: str, **arguments: Any) -> Profile:
        """Plan one round of tool calls with the profile's search words, then the answer."""
        return self.plan(
            profile, tuple(Call(tool, {"query": profile.search, **arguments}) for tool in tools or ("search_kb",))
        )

    @contextlib.contextmanager
    def capture(self, file: str, contexts_from: str, note: str = "", **facts: Any) -> Iterator[Capture]:
        self.spans.take(), self.logs.take(), self.received()
        self.model.forget()
        capture = Capture(file, contexts_from, note, facts=facts, ended=self._ended)
        yield capture
        if self.only and self.only not in file:
            return
        requests = [*self.received()]
        if spans := self.spans.take():
            requests.append(traces_json(spans))
        if records := self.logs.take():
            requests.append(logs_json(records))
        whole = merge(requests)
        entry = self._entry(capture, whole)
        self._write(capture.file, scrub(whole), entry)

    def _ended(self) -> list[str]:
        if self.received is not list:  # another provider has the spans
            return []
        return [format(span.context.span_id, "016x") for span in self.spans.items]

    def _entry(self, capture: Capture, whole: Json) -> Json:
        spans = list(spans_of(whole))
        words = said(whole)
        claimed: set[str] = set()
        runs = []
        for wanted in capture.runs:
            free = (wanted.among or {span["spanId"] for span in spans}) - claimed
            target = find(spans, wanted.target, wanted.holding, wanted.pick, free, words)
            claimed.add(target["spanId"])
            record = {**wanted.record, "target": {"name": target["name"], "span_id": target["spanId"]}}
            if wanted.also:
                other = find(spans, wanted.also, wanted.holding, "last", free, words)
                record["target"]["also"] = {"name": other["name"], "span_id": other["spanId"]}
            runs.append(record)
        if dropped := [span["name"] for span in spans if span.get("droppedAttributesCount")]:
            sys.stderr.write(f"{capture.file}: attributes dropped on {dropped}\n")
        return {
            "file": f"{capture.file}.json",
            "instrumentation": self.instrumentation,
            "profiles": capture.profiles,
            **capture.facts,
            "runs": runs,
            "contexts_from": capture.contexts_from,
            "note": capture.note,
        }

    def _write(self, file: str, whole: Json, entry: Json) -> None:
        text = json.dumps(whole, ensure_ascii=False, separators=(",", ":"))
        (self.out / f"{file}.json").write_text(text + "\n", encoding="utf-8")
        index = self.out / "expected.json"
        known = json.loads(index.read_text(encoding="utf-8")) if index.exists() else []
        entries = {each["file"]: each for each in known} | {entry["file"]: entry}
        index.write_text(
            json.dumps([entries[name] for name in sorted(entries)], ensure_ascii=False, indent=1) + "\n",
            encoding="utf-8",
        )
        for run in entry["runs"]:
            for missing in absent(run, text):
                sys.stderr.write(f"{file}: not in the telemetry: {missing}\n")
        sys.stdout.write(f"{file}: {len(entry['runs'])} runs, {len(text) // 1000} kB\n")


def said(whole: Json) -> dict[str, str]:
    """Return the text of log records by the id of their span."""
    texts: dict[str, str] = {}
    for resource in whole.get("resourceLogs", ()):
        for scope in resource["scopeLogs"]:
            for record in scope["logRecords"]:
                span_id = record.get("spanId", "")
                texts[span_id] = texts.get(span_id, "") + json.dumps(record, ensure_ascii=False)
    return texts


def find(
    spans: list[Json],
    name: str,
    holding: str | None,
    pick: Pick,
    free: set[str] | frozenset[str],
    words: dict[str, str],
) -> Json:
    """Find the span of this name whose subtree, with its log records, holds a text."""
    children: dict[str, list[Json]] = {}
    for span in spans:
        children.setdefault(span.get("parentSpanId", ""), []).append(span)

    def text(span: Json) -> str:
        own = json.dumps(span, ensure_ascii=False) + words.get(span["spanId"], "")
        return own + "".join(text(child) for child in children.get(span["spanId"], ()))

    found = [
        span
        for span in spans
        if span["name"] == name and span["spanId"] in free and (holding is None or stands_in(holding, text(span)))
    ]
    if not found:
        message = f"no span {name!r} that holds {holding!r} among {[span['name'] for span in spans]}"
        raise LookupError(message)
    if pick == "last":
        return max(found, key=lambda span: int(span["endTimeUnixNano"]))
    return min(found, key=lambda span: int(span["startTimeUnixNano"]))


def stands_in(sought: str, text: str) -> bool:
    """Tell whether a text stands in JSON, as it is or encoded up to four times."""
    forms = {sought}
    for _ in range(4):
        if any(form in text for form in forms):
            return True
        forms = {json.dumps(form, ensure_ascii=ascii_only)[1:-1] for form in forms for ascii_only in (True, False)}
    return any(form in text for form in forms)


def absent(run: Json, text: str) -> Iterator[str]:
    """Name what a record claims and the file does not hold."""
    values = [run["query"], run["answer"], run.get("session_id"), run.get("user_id")]
    for context in run["contexts"] or ():
        values += [context["text"], context["id"]]
        if context["score"] is not None and str(context["score"]) not in text:
            yield f"score {context['score']}"
    for value in values:
        if value is not None and not stands_in(str(value), text):
            yield repr(value)[:80]
