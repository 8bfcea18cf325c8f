"""Agno agents with function tools, seen by OpenInference."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

from agno.agent import Agent
from agno.models.openai import OpenAIChat
from openinference.instrumentation.agno import AgnoInstrumentor
from profiles import ARABIC, CODE, EMPTY, EQUAL, KOREAN, METADATA, NUMBERS
from shapes import SHAPES, told
from stage import Stage
from tools import search_text


def main(out: Path, only: str, framework: str) -> None:
    stage = Stage(out, only)
    name = "openinference-instrumentation-agno"
    stage.instrumentation = f"{name} {version(name)} (agno {version('agno')})"
    AgnoInstrumentor().instrument(tracer_provider=stage.provider)
    for form, profiles in {
        "results": (KOREAN, CODE),
        "elasticsearch": (METADATA, EMPTY),
        "total": (EQUAL, NUMBERS, ARABIC),
    }.items():
        shape = SHAPES[form]
        with stage.capture(f"{framework}_tool_{form}", f"tool result, form `{form}`") as capture:
            for profile in profiles:
                stage.search(profile)
                agent = Agent(
                    name="support",
                    model=OpenAIChat(id="stub-model", base_url=stage.model.url, api_key="none"),
                    tools=[search_text(shape)],
                    instructions="Use the tools.",
                    session_id=f"s-{profile.name}",
                    user_id="u-1",
                    telemetry=False,
                )
                agent.run(profile.question)
                capture.run(
                    profile,
                    "support.run",
                    told(profile.documents, shape),
                    session_id=f"s-{profile.name}",
                    user_id="u-1",
                )
