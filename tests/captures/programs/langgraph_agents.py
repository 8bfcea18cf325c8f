"""OpenInference on LangGraph agents with tools of every form of results."""

from __future__ import annotations

import json
from typing import Any

from langchain.agents import create_agent
from langchain.agents.middleware import ToolRetryMiddleware
from langchain_core.tools import create_retriever_tool
from langchain_parts import Knowledge, agent, ask, chat_model, search_tool, tool
from langgraph.checkpoint.memory import InMemorySaver
from model import Call, Plan
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
    LONG,
    MANY,
    METADATA,
    NUMBERS,
    SHORT,
)
from shapes import SHAPES, contexts, told
from stage import Stage
from tools import found

G = "openinference_langgraph"
RETRIEVER = "RETRIEVER span retrieval.documents.*; ids only inside output.value JSON"
TOOL = "TOOL span output.value -> data.content"


def agents(stage: Stage) -> None:
    """One agent with a function tool for each form of results, two profiles each."""
    pairs = {
        "doc_id": (KOREAN, METADATA),
        "results": (CODE, ARABIC),
        "total": (EMPTY, NUMBERS),
        "chunks": (MANY,),
        "elasticsearch": (METADATA, JAPANESE),
        "pinecone": (METADATA, GERMAN),
        "chroma": (CHINESE, EQUAL),
        "arrays": (NUMBERS, JSON_TEXTS),
        "weaviate": (HINDI, SHORT),
        "qdrant": (NUMBERS, METADATA),
        "bedrock": (EQUAL, ENGLISH),
        "rows": (JAPANESE, NUMBERS),
        "records": (GERMAN, CODE),
        "azure": (KOREAN, LONG),
        "strings": (ARABIC, CODE),
        "mcp": (CHINESE, JSON_TEXTS),
    }
    for name, profiles in pairs.items():
        shape = SHAPES[name]
        with stage.capture(f"{G}_tool_{name}", f"{TOOL}, form `{name}`") as capture:
            for profile in profiles:
                stage.search(profile)
                agent(stage.model, search_tool(shape)).invoke(ask(profile.question))
                expected = told(profile.documents, shape)
                places = [
                    {**each, "id": f"s3://kb/{doc.id}"} for each, doc in zip(expected, profile.documents, strict=True)
                ]
                accept = {"contexts": places} if name == "bedrock" else None  # it has places instead of ids
                capture.run(profile, "LangGraph", expected, accept=accept)


def parallel(stage: Stage) -> None:
    note = "two search tools called at once, and a clock whose result is no document; tools may start in either order"
    with stage.capture(f"{G}_parallel_tools", TOOL, note) as capture:
        for profile in (ENGLISH, CHINESE):
            stage.plan(
                profile,
                (
                    Call("search_manuals", {"query": profile.search}),
                    Call("get_time", {"zone": "UTC"}),
                    Call("search_faq", {"query": profile.question}),
                ),
            )
            one, two = SHAPES["results"], SHAPES["doc_id"]
            tools = (
                search_tool(one, "search_manuals", stop=2),
                search_tool(two, "search_faq", start=2),
                tool(lambda zone: json.dumps({"zone": zone, "time": "12:30", "status": "ok"}), "get_time", "The time."),
            )
            agent(stage.model, *tools).invoke(ask(profile.question))
            first, second = told(profile.documents[:2], one), told(profile.documents[2:], two)
            capture.run(profile, "LangGraph", [*first, *second], accept={"contexts": [*second, *first]})


def failing_tool(stage: Stage) -> None:
    note = "the first tool fails and its error goes back to the model, which calls another: the run is sound"
    with stage.capture(f"{G}_tool_failed_fallback", TOOL, note) as capture:
        for profile in (GERMAN, NUMBERS):
            stage.plan(
                profile,
                (Call("search_fast", {"query": profile.search}),),
                (Call("search_kb", {"query": profile.search}),),
            )

            def broken(query: str) -> str:
                message = f"no connection for {query!r}"
                raise ConnectionError(message)

            fast = tool(broken, "search_fast", "A fast search.")
            graph = create_agent(
                chat_model(stage.model),
                [fast, search_tool(SHAPES["plain"])],
                middleware=[ToolRetryMiddleware(max_retries=0, on_failure="continue")],
            )
            graph.invoke(ask(profile.question))
            capture.run(profile, "LangGraph", told(profile.documents, SHAPES["plain"]))


def conversation(stage: Stage) -> None:
    note = (
        "a memory keeps the thread: the second turn's messages hold the first turn's tool result; "
        "the third turn calls no tool, so nothing was captured for it; the thread's id is the session"
    )
    for profile, shape in ((ENGLISH, SHAPES["total"]), (KOREAN, SHAPES["chunks"])):
        with stage.capture(f"{G}_conversation_{profile.name}", TOOL, note) as capture:
            stage.plan(profile, (Call("search_kb", {"query": profile.search}),))
            stage.model.tell(
                Plan(
                    profile.follow_up,
                    profile.follow_up_answer,
                    ((Call("search_kb", {"query": profile.follow_up_search}),),),
                ),
                Plan("Thanks, that is all.", "You are welcome."),
            )

            def search(query: str, shape: Any = shape) -> str:
                return json.dumps(shape(found(query, 0, 2)), ensure_ascii=False)

            graph = create_agent(
                chat_model(stage.model), [tool(search, "search_kb", "Search.")], checkpointer=InMemorySaver()
            )
            config: Any = {"configurable": {"thread_id": f"thread-{profile.name}"}}
            turns = (
                (profile.question, profile.answer, told(profile.documents[:2], shape), None),
                (profile.follow_up, profile.follow_up_answer, told(profile.documents[2:], shape), None),
                ("Thanks, that is all.", "You are welcome.", None, "no_context_captured"),
            )
            for question, answer, expected, skip in turns:
                graph.invoke(ask(question), config)
                capture.run(
                    profile,
                    "LangGraph",
                    expected,
                    query=question,
                    answer=answer,
                    skip=skip,
                    session_id=f"thread-{profile.name}",
                )


def retriever_tool(stage: Stage) -> None:
    note = "a retriever as a tool: documents on the RETRIEVER span below the TOOL span, whose output is one text"
    with stage.capture(f"{G}_retriever_tool", RETRIEVER, note) as capture:
        for profile in (MANY, EQUAL, EMPTY):
            stage.search(profile)
            searching = create_retriever_tool(
                Knowledge(), "search_kb", "Search.", response_format="content_and_artifact"
            )
            agent(stage.model, searching, name="support").invoke(ask(profile.question))
            capture.run(profile, "support", contexts(profile.documents, scores=False))


def joined_tool(stage: Stage) -> None:
    note = "the tool returns its texts joined to one string: one document"
    with stage.capture(f"{G}_tool_one_text", TOOL, note) as capture:
        for profile in (GERMAN, CODE):
            stage.search(profile)
            searching = tool(lambda query: "\n---\n".join(doc.text for doc in found(query)), "search_kb", "Search.")
            agent(stage.model, searching).invoke(ask(profile.question))
            text = "\n---\n".join(doc.text for doc in profile.documents)
            capture.run(profile, "LangGraph", [{"id": None, "text": text, "score": None}])


PROGRAMS = (agents, parallel, failing_tool, conversation, retriever_tool, joined_tool)
