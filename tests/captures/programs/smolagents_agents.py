"""smolagents with a function tool, seen by OpenInference; the answer is a call of the tool `final_answer`."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

from model import Call
from openinference.instrumentation.smolagents import SmolagentsInstrumentor
from profiles import CODE, EMPTY, GERMAN, KOREAN, METADATA, NUMBERS
from shapes import SHAPES, told
from smolagents import OpenAIServerModel, ToolCallingAgent, tool
from stage import Stage
from tools import search_text


def main(out: Path, only: str, framework: str) -> None:
    stage = Stage(out, only)
    name = "openinference-instrumentation-smolagents"
    stage.instrumentation = f"{name} {version(name)} (smolagents {version('smolagents')})"
    SmolagentsInstrumentor().instrument(tracer_provider=stage.provider)
    for form, profiles in {"doc_id": (KOREAN, METADATA), "total": (EMPTY, GERMAN), "chunks": (CODE, NUMBERS)}.items():
        shape = SHAPES[form]
        for profile in profiles:
            note = "`final_answer` is a TOOL span too, and no context"
            with stage.capture(f"{framework}_{form}_{profile.name}", f"TOOL span, form `{form}`", note) as capture:
                stage.plan(
                    profile,
                    (Call("search_kb", {"query": profile.search}),),
                    (Call("final_answer", {"answer": profile.answer}),),
                )
                model = OpenAIServerModel("stub-model", api_base=stage.model.url, api_key="none")
                agent = ToolCallingAgent(tools=[tool(search_text(shape))], model=model, verbosity_level=0)
                agent.run(profile.question)
                capture.run(profile, "ToolCallingAgent.run", told(profile.documents, shape))
