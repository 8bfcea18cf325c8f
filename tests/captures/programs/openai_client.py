"""An agent written by hand on the OpenAI client, its tools plain functions without spans."""

from __future__ import annotations

import asyncio
import importlib
import json
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

from model import Call, Plan
from openai import AsyncOpenAI, BadRequestError, OpenAI
from opentelemetry.trace import SpanKind
from profiles import (
    ARABIC,
    CHINESE,
    CODE,
    EMPTY,
    ENGLISH,
    EQUAL,
    GERMAN,
    HINDI,
    JAPANESE,
    JSON_TEXTS,
    KOREAN,
    MANY,
    METADATA,
    NUMBERS,
    SHORT,
    Profile,
)
from shapes import SHAPES, joined, told
from stage import Stage
from tools import found, search_text

Json = dict[str, Any]

# Framework -> distribution, module and class of the instrumentation, name of a chat span.
INSTRUMENTATIONS = {
    "openinference_openai": (
        "openinference-instrumentation-openai",
        "openinference.instrumentation.openai",
        "OpenAIInstrumentor",
        "ChatCompletion",
    ),
    "otel_genai_openai_span_only": (
        "opentelemetry-instrumentation-genai-openai",
        "opentelemetry.instrumentation.genai.openai",
        "OpenAIInstrumentor",
        "chat stub-model",
    ),
    "otel_genai_openai_event_only": (
        "opentelemetry-instrumentation-genai-openai",
        "opentelemetry.instrumentation.genai.openai",
        "OpenAIInstrumentor",
        "chat stub-model",
    ),
    "traceloop_openai": (
        "opentelemetry-instrumentation-openai",
        "opentelemetry.instrumentation.openai",
        "OpenAIInstrumentor",
        "openai.chat",
    ),
}
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": name,
            "description": "Search.",
            "parameters": {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
        },
    }
    for name in ("search_kb", "search_faq", "get_time")
]
FROM = "tool messages of the last chat"


def converse(
    stage: Stage, messages: list[Json], tools: dict[str, Callable[[str], str]], *, stream: bool = False
) -> list[Json]:
    """Ask and call tools until the model answers."""
    client = OpenAI(base_url=stage.model.url, api_key="none", max_retries=0)
    while True:
        more = {"stream": True, "stream_options": {"include_usage": True}} if stream else {}
        reply = client.chat.completions.create(model="stub-model", messages=messages, tools=TOOLS, **more)
        text, calls = _streamed(reply) if stream else _whole(reply)
        if not calls:
            return [*messages, {"role": "assistant", "content": text}]
        messages = [*messages, {"role": "assistant", "content": None, "tool_calls": calls}]
        for call in calls:
            query = json.loads(call["function"]["arguments"])["query"]
            try:
                result = tools[call["function"]["name"]](query)
            except LookupError as error:
                result = f"Error: {error}"
            messages = [*messages, {"role": "tool", "tool_call_id": call["id"], "content": result}]


def _whole(reply: Any) -> tuple[str, list[Json]]:
    message = reply.choices[0].message
    return message.content, [
        {"id": call.id, "type": "function", "function": call.function.model_dump()} for call in message.tool_calls or ()
    ]


def _streamed(reply: Any) -> tuple[str, list[Json]]:
    text, calls = "", []
    for chunk in reply:
        for choice in chunk.choices:
            text += choice.delta.content or ""
            calls += [
                {"id": call.id, "type": "function", "function": call.function.model_dump()}
                for call in choice.delta.tool_calls or ()
            ]
    return text, calls


def user(text: str) -> Json:
    return {"role": "user", "content": text}


SYSTEM: Json = {"role": "system", "content": "You are a helpful assistant. Use the tools."}


class Programs:
    """The situations, for one instrumentation."""

    def __init__(self, stage: Stage, framework: str) -> None:
        self.stage, self.framework = stage, framework
        self.chat = INSTRUMENTATIONS[framework][3]

    def tools(self) -> None:
        pairs = {
            "plain": (KOREAN, CODE),
            "elasticsearch": (METADATA, EMPTY),
            "results": (JAPANESE, JSON_TEXTS),
            "pinecone": (MANY,),
            "arrays": (EQUAL, NUMBERS),
        }
        for name, profiles in pairs.items():
            shape = SHAPES[name]
            with self.stage.capture(f"{self.framework}_tool_{name}", f"{FROM}, form `{name}`") as capture:
                for profile in profiles:
                    self.stage.search(profile)
                    with self.stage.tracer.start_as_current_span("handle_request"):
                        converse(self.stage, [SYSTEM, user(profile.question)], {"search_kb": search_text(shape)})
                    capture.run(profile, self.chat, told(profile.documents, shape), pick="last")

    def stream(self) -> None:
        shape = SHAPES["doc_id"]
        with self.stage.capture(f"{self.framework}_stream_http", f"{FROM}, form `doc_id`") as capture:
            for profile in (ARABIC, CODE):
                self.stage.search(profile)
                with self.stage.tracer.start_as_current_span("POST /chat", kind=SpanKind.SERVER) as server:
                    server.set_attribute("http.request.method", "POST")
                    converse(self.stage, [user(profile.question)], {"search_kb": search_text(shape)}, stream=True)
                capture.run(profile, self.chat, told(profile.documents, shape), pick="last")

    def parallel(self) -> None:
        note = "two searches and a clock called at once; then, for the second profile, a failed tool and another one"
        one, two = SHAPES["total"], SHAPES["chunks"]
        tools = {
            "search_kb": lambda query: json.dumps(one(found(query, 0, 2)), ensure_ascii=False),
            "search_faq": lambda query: json.dumps(two(found(query, 2)), ensure_ascii=False),
            "get_time": lambda _: json.dumps({"time": "12:30", "zone": "UTC"}),
        }
        with self.stage.capture(f"{self.framework}_parallel_failed", FROM, note) as capture:
            for profile, first in ((GERMAN, ()), (CHINESE, (Call("search_kb", {"query": "gone"}),))):
                calls = tuple(Call(name, {"query": profile.search}) for name in ("search_kb", "get_time", "search_faq"))
                self.stage.plan(profile, *((first, calls) if first else (calls,)))
                with self.stage.tracer.start_as_current_span("handle_request"):
                    converse(self.stage, [SYSTEM, user(profile.question)], tools)
                expected = [*told(profile.documents[:2], one), *told(profile.documents[2:], two)]
                capture.run(profile, self.chat, expected, pick="last")

    def conversation(self) -> None:
        note = (
            "three turns, a trace each; the second turn's messages hold the first turn's tool result, "
            "the third turn calls no tool"
        )
        shape = SHAPES["results"]
        for profile in (ENGLISH, KOREAN):
            with self.stage.capture(f"{self.framework}_conversation_{profile.name}", FROM, note) as capture:
                self.stage.search(profile)
                again = ((Call("search_kb", {"query": profile.follow_up_search}),),)
                self.stage.model.tell(
                    Plan(profile.follow_up, profile.follow_up_answer, again), Plan("Thanks, that is all.", "Welcome!")
                )
                messages = [SYSTEM]
                for question, answer, docs, skip in (
                    (profile.question, profile.answer, profile.documents, None),
                    (profile.follow_up, profile.follow_up_answer, profile.documents[2:], None),
                    ("Thanks, that is all.", "Welcome!", None, "no_context_captured"),
                ):
                    with self.stage.tracer.start_as_current_span("turn"):
                        messages = converse(self.stage, [*messages, user(question)], {"search_kb": search_text(shape)})
                    expected = None if docs is None else told(docs, shape)
                    capture.run(
                        profile,
                        self.chat,
                        expected,
                        query=question,
                        answer=answer,
                        skip=skip,
                        pick="last",
                    )

    def prompt_only(self) -> None:
        note = "no tool: the context stands in the prompt alone; an embedding call goes before"
        with self.stage.capture(f"{self.framework}_prompt_only", "none but prompt text", note) as capture:
            client = OpenAI(base_url=self.stage.model.url, api_key="none", max_retries=0)
            for profile in (HINDI, SHORT):
                self.stage.plan(profile)
                text = joined(profile.documents, "\n")
                with self.stage.tracer.start_as_current_span("handle_request"):
                    client.embeddings.create(model="stub-embedding", input=profile.question)
                    system = {"role": "system", "content": f"Use the context:\n{text}"}
                    client.chat.completions.create(model="stub-model", messages=[system, user(profile.question)])
                capture.run(
                    profile,
                    self.chat,
                    None,
                    skip="no_context_captured",
                    pick="last",
                    with_prompt_pattern={"contexts": [{"id": None, "text": text, "score": None}]},
                )

    def concurrent(self) -> None:
        note = "four conversations at the same time in one event loop, a trace each"
        shape = SHAPES["qdrant"]
        four = (ENGLISH, KOREAN, METADATA, NUMBERS)

        async def one(profile: Profile) -> None:
            client = AsyncOpenAI(base_url=self.stage.model.url, api_key="none", max_retries=0)
            messages: list[Json] = [user(profile.question)]
            with self.stage.tracer.start_as_current_span("handle_request"):
                while True:
                    reply = await client.chat.completions.create(model="stub-model", messages=messages, tools=TOOLS)
                    _, calls = _whole(reply)
                    if not calls:
                        return
                    messages.append({"role": "assistant", "content": None, "tool_calls": calls})
                    for call in calls:
                        result = search_text(shape)(json.loads(call["function"]["arguments"])["query"])
                        messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})

        async def every() -> None:
            await asyncio.gather(*(one(self.stage.search(profile)) for profile in four))

        with self.stage.capture(f"{self.framework}_async_concurrent", FROM, note, order="any") as capture:
            asyncio.run(every())
            for profile in four:
                capture.run(profile, self.chat, told(profile.documents, shape), pick="last")

    def hops(self) -> None:
        note = (
            "three searches one after the other find documents again; a picture beside the question (not for Traceloop)"
        )
        shape = SHAPES["total"]
        docs = EQUAL.documents
        parts = {"first": docs[:2], "second": (docs[2], docs[1]), "third": (docs[3], docs[0])}
        picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}
        with self.stage.capture(f"{self.framework}_three_hops", FROM, note) as capture:
            self.stage.plan(EQUAL, *((Call("search_kb", {"query": query}),) for query in parts))
            message = {"role": "user", "content": [{"type": "text", "text": EQUAL.question}, picture]}
            if self.framework.startswith("traceloop"):  # it keeps no message at all where one has a picture
                message = user(EQUAL.question)
            with self.stage.tracer.start_as_current_span("handle_request"):
                converse(self.stage, [SYSTEM, message], {"search_kb": lambda query: json.dumps(shape(parts[query]))})
            capture.run(EQUAL, self.chat, told(docs, shape), pick="last")

    def failed(self) -> None:
        note = "the model fails after the tool has found documents"
        with self.stage.capture(f"{self.framework}_model_failed", FROM, note) as capture:
            self.stage.plan(JAPANESE, (Call("search_kb", {"query": JAPANESE.search}),), ())
            shape = SHAPES["plain"]
            try:
                with self.stage.tracer.start_as_current_span("handle_request"):
                    converse(self.stage, [user(JAPANESE.question)], {"search_kb": search_text(shape)})
            except BadRequestError as error:
                sys.stdout.write(f"failed as planned: {type(error).__name__}\n")
            capture.run(
                JAPANESE, self.chat, told(JAPANESE.documents, shape), answer=None, skip="source_error", pick="last"
            )


def main(out: Path, only: str, framework: str) -> None:
    stage = Stage(out, only)
    distribution, module, name, _ = INSTRUMENTATIONS[framework]
    stage.instrumentation = f"{distribution} {version(distribution)} (openai {version('openai')})"
    instrumentor: Any = getattr(importlib.import_module(module), name)()
    instrumentor.instrument(tracer_provider=stage.provider, logger_provider=stage.logger_provider)
    programs = Programs(stage, framework)
    programs.tools()
    programs.stream()
    programs.parallel()
    programs.conversation()
    programs.prompt_only()
    programs.concurrent()
    programs.failed()
    programs.hops()
