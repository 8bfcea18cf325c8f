"""Google ADK agents with a function tool; content on spans and log records, or on log records alone."""

from __future__ import annotations

import asyncio
from importlib.metadata import version
from pathlib import Path
from typing import Any

from google.adk.agents import LlmAgent
from google.adk.models.lite_llm import LiteLlm
from google.adk.runners import InMemoryRunner
from google.genai import types
from profiles import CODE, EMPTY, EQUAL, GERMAN, KOREAN, METADATA, Profile
from shapes import SHAPES, Shape, told
from stage import Stage
from tools import search_objects


async def ask(stage: Stage, profile: Profile, shape: Shape) -> str:
    """Ask once in a session of its own and return the session's id."""
    model = LiteLlm(model="openai/stub-model", api_base=stage.model.url, api_key="none")

    def search_kb(query: str) -> dict[str, Any]:
        """Search the knowledge base."""
        found: dict[str, Any] = search_objects(shape)(query)
        return found

    agent = LlmAgent(name="support", model=model, instruction="Use the tools.", tools=[search_kb])
    runner = InMemoryRunner(agent=agent, app_name="support")
    session = await runner.session_service.create_session(app_name="support", user_id="u-1")
    message = types.Content(role="user", parts=[types.Part(text=profile.question)])
    async for _ in runner.run_async(user_id="u-1", session_id=session.id, new_message=message):
        pass
    return str(session.id)


def main(out: Path, only: str, framework: str) -> None:
    stage = Stage(out, only)
    stage.instrumentation = f"google-adk {version('google-adk')}"
    for form, profiles in {"results": (KOREAN, CODE), "total": (EMPTY, EQUAL), "qdrant": (METADATA, GERMAN)}.items():
        shape = SHAPES[form]
        with stage.capture(f"{framework}_tool_{form}", f"tool result, form `{form}`") as capture:
            for profile in profiles:
                stage.search(profile)
                session = asyncio.run(ask(stage, profile, shape))
                capture.run(
                    profile,
                    "invoke_workflow support",
                    told(profile.documents, shape),
                    session_id=session,
                    user_id="u-1",
                    also="generate_content openai/stub-model",
                )
