"""A DSPy module that retrieves by a plain function and answers with ChainOfThought, seen by OpenInference."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Any

import dspy
from model import Plan
from openinference.instrumentation.dspy import DSPyInstrumentor
from profiles import CODE, EMPTY, EQUAL, KOREAN, MANY, METADATA, SHORT
from shapes import contexts
from stage import Stage
from tools import found


class RAG(dspy.Module):  # type: ignore[misc]
    """Retrieve, then answer."""

    def __init__(self) -> None:
        super().__init__()
        self.respond = dspy.ChainOfThought("context, question -> answer")

    def forward(self, question: str) -> Any:
        return self.respond(context=[doc.text for doc in found(question)], question=question)


def main(out: Path, only: str, framework: str) -> None:
    stage = Stage(out, only)
    name = "openinference-instrumentation-dspy"
    stage.instrumentation = f"{name} {version(name)} (dspy {version('dspy')})"
    DSPyInstrumentor().instrument(tracer_provider=stage.provider)
    dspy.configure(lm=dspy.LM("openai/stub-model", api_base=stage.model.url, api_key="none", cache=False))
    note = "no RETRIEVER span: the documents are a list of strings in ChainOfThought's input"
    for profiles in ((KOREAN, CODE), (EQUAL, SHORT), (MANY,), (METADATA, EMPTY)):
        names = "_".join(profile.name for profile in profiles)
        with stage.capture(f"{framework}_rag_{names}", "ChainOfThought input context", note) as capture:
            for profile in profiles:
                reply = f"[[ ## reasoning ## ]]\nSee context.\n\n[[ ## answer ## ]]\n{profile.answer}\n\n"
                stage.model.tell(Plan(profile.question, f"{reply}[[ ## completed ## ]]\n"))
                RAG()(question=profile.question)
                capture.run(profile, "RAG.forward", contexts(profile.documents, ids=False, scores=False))
