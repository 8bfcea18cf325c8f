"""Strands agents with a function tool; their own tracing in its default and its latest mode."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Any

from model import Plan
from opentelemetry.trace import SpanKind
from profiles import ARABIC, CODE, EMPTY, ENGLISH, EQUAL, KOREAN, METADATA, NUMBERS, Profile
from shapes import SHAPES, Shape, told
from stage import Stage
from strands import Agent, tool
from strands.models.openai import OpenAIModel
from tools import search_text


def agent(stage: Stage, shape: Shape, session: str) -> Agent:
    model = OpenAIModel(client_args={"base_url": stage.model.url, "api_key": "none"}, model_id="stub-model")
    return Agent(
        model=model,
        name="support",
        system_prompt="Use the tools.",
        tools=[tool(search_text(shape))],
        callback_handler=None,
        trace_attributes={"session.id": session, "user.id": "u-1"},
    )


def main(out: Path, only: str, framework: str) -> None:
    stage = Stage(out, only)
    stage.instrumentation = f"strands-agents {version('strands-agents')}"
    for form, profiles in {
        "results": (KOREAN, CODE),
        "pinecone": (METADATA, EMPTY),
        "chunks": (EQUAL, NUMBERS),
    }.items():
        shape = SHAPES[form]
        with stage.capture(f"{framework}_tool_{form}", f"tool result, form `{form}`") as capture:
            for profile in profiles:
                stage.search(profile)
                with stage.tracer.start_as_current_span("POST /ask", kind=SpanKind.SERVER):
                    agent(stage, shape, f"s-{profile.name}")(profile.question)
                note(capture, profile, shape, session_id=f"s-{profile.name}")
    conversation(stage, framework)


def note(capture: Any, profile: Profile, shape: Shape, **more: Any) -> None:
    capture.run(profile, "invoke_agent support", told(profile.documents, shape), user_id="u-1", **more)


def conversation(stage: Stage, framework: str) -> None:
    text = "two turns of one agent, whose memory holds the first turn's tool result; the second turn calls no tool"
    shape = SHAPES["total"]
    with stage.capture(f"{framework}_conversation", "tool result", text) as capture:
        for profile in (ENGLISH, ARABIC):
            stage.search(profile)
            stage.model.tell(Plan(profile.follow_up, profile.follow_up_answer))
            support = agent(stage, shape, f"s-{profile.name}")
            support(profile.question)
            note(capture, profile, shape, session_id=f"s-{profile.name}")
            support(profile.follow_up)
            capture.run(
                profile,
                "invoke_agent support",
                None,
                query=profile.follow_up,
                answer=profile.follow_up_answer,
                skip="no_context_captured",
                session_id=f"s-{profile.name}",
                user_id="u-1",
            )
