"""The Vercel AI SDK in Node.js (folder with node_modules in CAPTURE_NODE): its new and its legacy telemetry."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from model import Call, Plan
from otlp import Receiver
from profiles import (
    ARABIC,
    CHINESE,
    CODE,
    EMPTY,
    ENGLISH,
    EQUAL,
    GERMAN,
    JSON_TEXTS,
    KOREAN,
    MANY,
    METADATA,
    NUMBERS,
    Profile,
)
from shapes import SHAPES, Shape, told
from stage import Stage

Json = dict[str, Any]


class Programs:
    """The situations, for one telemetry."""

    def __init__(self, stage: Stage, framework: str) -> None:
        self.stage, self.framework = stage, framework
        self.legacy = framework.endswith("legacy")
        self.receiver = Receiver()
        stage.received = self.receiver.take
        folder = Path(os.environ["CAPTURE_NODE"])
        self.program = folder / "vercel_ai.mjs"
        shutil.copy(Path(__file__).with_name("vercel_ai.mjs"), self.program)
        versions = [
            f"{name} {json.loads((folder / 'node_modules' / name / 'package.json').read_text())['version']}"
            for name in ("ai", "@ai-sdk/otel")
        ]
        stage.instrumentation = " + ".join(versions) + (" LegacyOpenTelemetry" if self.legacy else " OpenTelemetry")

    def root(self, *, stream: bool = False) -> str:
        if self.legacy:
            return "ai.streamText" if stream else "ai.generateText"
        return "invoke_agent stub-model"

    def go(self, *runs: Json, **more: bool) -> None:
        task = {
            "model": self.stage.model.url,
            "traces": f"{self.receiver.url}/v1/traces",
            "legacy": self.legacy,
            "runs": runs,
            **more,
        }
        subprocess.run(["node", str(self.program)], input=json.dumps(task), text=True, check=True, timeout=60)  # noqa: S607

    def tools(self) -> None:
        for name, profiles in {
            "results": (KOREAN, CODE),
            "elasticsearch": (METADATA, EMPTY),
            "doc_id": (ARABIC, EQUAL),
            "total": (MANY, JSON_TEXTS),
        }.items():
            shape = SHAPES[name]
            with self.stage.capture(f"{self.framework}_tool_{name}", f"tool result, form `{name}`") as capture:
                self.go(*(asked(self.stage.search(profile), shape) for profile in profiles))
                for profile in profiles:
                    capture.run(profile, self.root(), told(profile.documents, shape))

    def stream(self) -> None:
        shape = SHAPES["chunks"]
        two = (CHINESE, NUMBERS)
        note = "two streams at the same time, each under an HTTP span"
        with self.stage.capture(f"{self.framework}_stream_http", "tool result", note, order="any") as capture:
            runs = [asked(self.stage.search(profile), shape, stream=True) for profile in two]
            self.go(*runs, http=True, together=True)
            for profile in two:
                capture.run(profile, self.root(stream=True), told(profile.documents, shape))

    def conversation(self) -> None:
        shape, profile = SHAPES["results"], ENGLISH
        note = "the messages hold an earlier turn with its tool call and result"
        with self.stage.capture(f"{self.framework}_conversation", "tool result", note) as capture:
            again = ((Call("search_kb", {"query": profile.follow_up_search}),),)
            self.stage.model.tell(Plan(profile.follow_up, profile.follow_up_answer, again))
            call = {"toolCallId": "call_0", "toolName": "search_kb"}
            output = {"type": "json", "value": shape(profile.documents)}
            messages = [
                user(profile.question),
                {"role": "assistant", "content": [{"type": "tool-call", "input": {"query": profile.search}, **call}]},
                {"role": "tool", "content": [{"type": "tool-result", "output": output, **call}]},
                {"role": "assistant", "content": profile.answer},
                user(profile.follow_up),
            ]
            later = profile.documents[2:]
            self.go({"messages": messages, "stream": False, "results": {profile.follow_up_search: shape(later)}})
            capture.run(
                profile,
                self.root(),
                told(later, shape),
                query=profile.follow_up,
                answer=profile.follow_up_answer,
            )

    def fallback(self) -> None:
        shape, profile = SHAPES["plain"], GERMAN
        note = "the first call of the tool fails, the second finds"
        with self.stage.capture(f"{self.framework}_tool_failed", "tool result", note) as capture:
            self.stage.plan(
                profile,
                (Call("search_kb", {"query": "gone"}),),
                (Call("search_kb", {"query": profile.search}),),
            )
            self.go(asked(profile, shape))
            capture.run(profile, self.root(), told(profile.documents, shape))


def user(text: str) -> Json:
    return {"role": "user", "content": text}


def asked(profile: Profile, shape: Shape, *, stream: bool = False) -> Json:
    return {
        "messages": [user(profile.question)],
        "stream": stream,
        "results": {profile.search: shape(profile.documents)},
    }


def main(out: Path, only: str, framework: str) -> None:
    programs = Programs(Stage(out, only), framework)
    programs.tools()
    programs.stream()
    programs.conversation()
    programs.fallback()
