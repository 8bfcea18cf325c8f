"""Semantic Kernel agents with a kernel function; chat content goes through the standard library's logging."""

from __future__ import annotations

import asyncio
import logging
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

from model import Call
from openai import AsyncOpenAI
from opentelemetry.sdk._logs import LoggingHandler
from profiles import CODE, EMPTY, EQUAL, KOREAN, METADATA, NUMBERS, Profile
from semantic_kernel.agents import ChatCompletionAgent
from semantic_kernel.connectors.ai.open_ai import OpenAIChatCompletion
from semantic_kernel.functions import kernel_function
from shapes import SHAPES, Shape, told
from stage import Stage
from tools import search_text


class Knowledge:
    """The plugin."""

    def __init__(self, shape: Shape) -> None:
        self._search = search_text(shape)

    @kernel_function(name="search", description="Search the knowledge base.")
    def search(self, query: Annotated[str, "The words to search for"]) -> str:
        """Search."""
        return self._search(query)


async def ask(stage: Stage, profile: Profile, shape: Shape) -> Any:
    client = AsyncOpenAI(base_url=stage.model.url, api_key="none", max_retries=0)
    agent = ChatCompletionAgent(
        service=OpenAIChatCompletion(ai_model_id="stub-model", async_client=client),
        name="support",
        instructions="Use the tools.",
        plugins=[Knowledge(shape)],
    )
    return await agent.get_response(messages=profile.question)


def main(out: Path, only: str, framework: str) -> None:
    stage = Stage(out, only)
    stage.instrumentation = f"semantic-kernel {version('semantic-kernel')}"
    handler = LoggingHandler(logger_provider=stage.logger_provider)
    logger = logging.getLogger("semantic_kernel")
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    for form, profiles in {"results": (KOREAN, CODE), "total": (EMPTY, EQUAL), "doc_id": (METADATA, NUMBERS)}.items():
        shape = SHAPES[form]
        with stage.capture(f"{framework}_tool_{form}", f"tool result, form `{form}`") as capture:
            for profile in profiles:
                stage.plan(profile, (Call("Knowledge-search", {"query": profile.search}),))
                asyncio.run(ask(stage, profile, shape))
                capture.run(profile, "invoke_agent support", told(profile.documents, shape))
