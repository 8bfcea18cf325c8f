"""A program's own functions under the decorators of Traceloop, Langfuse and MLflow."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Any

from openai import OpenAI
from profiles import ARABIC, CODE, EMPTY, EQUAL, KOREAN, MANY, METADATA, NUMBERS, SHORT
from shapes import SHAPES, told
from stage import Stage
from tools import found

PLAIN = SHAPES["plain"]


def answer(stage: Stage, question: str, documents: list[dict[str, Any]]) -> str:
    """Ask the model with the documents in the prompt."""
    client = OpenAI(base_url=stage.model.url, api_key="none", max_retries=0)
    context = "\n".join(document["text"] for document in documents)
    system = {"role": "system", "content": f"Use the context:\n{context}"}
    messages: Any = [system, {"role": "user", "content": question}]
    reply = client.chat.completions.create(model="stub-model", messages=messages)
    return str(reply.choices[0].message.content)


def programs(stage: Stage, framework: str, rag: Any, target: str, **more: Any) -> None:
    """Ask about pairs of profiles by position and by keyword."""
    for profiles in ((KOREAN, CODE), (EQUAL, EMPTY), (METADATA, SHORT), (MANY, NUMBERS)):
        names = "_".join(profile.name for profile in profiles)
        with stage.capture(f"{framework}_{names}", "the decorated retriever's result") as capture:
            for place, profile in enumerate(profiles):
                stage.plan(profile)
                if place:
                    rag(question=profile.question)
                else:
                    rag(profile.question)
                capture.run(profile, target, told(profile.documents, PLAIN), **more)


def traceloop(stage: Stage, framework: str) -> None:
    from opentelemetry.instrumentation.openai import OpenAIInstrumentor  # noqa: PLC0415
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor  # noqa: PLC0415
    from traceloop.sdk import Traceloop  # noqa: PLC0415
    from traceloop.sdk.decorators import task, workflow  # noqa: PLC0415

    Traceloop.init(
        app_name="rag-app", processor=SimpleSpanProcessor(stage.spans), instruments=set(), telemetry_enabled=False
    )
    OpenAIInstrumentor().instrument()
    stage.instrumentation = f"traceloop-sdk {version('traceloop-sdk')}"

    @task(name="retrieve")
    def retrieve(query: str) -> Any:
        return PLAIN(found(query))

    @workflow(name="rag_workflow")
    def rag(question: str) -> str:
        Traceloop.set_association_properties({"session_id": "s-9", "user_id": "u-1"})
        return answer(stage, question, retrieve(question))

    programs(stage, framework, rag, "rag_workflow.workflow", session_id="s-9", user_id="u-1")


def langfuse(stage: Stage, framework: str) -> None:
    from langfuse import Langfuse, observe, propagate_attributes  # noqa: PLC0415

    Langfuse(public_key="pk-none", secret_key="none", base_url="http://127.0.0.1:9", tracer_provider=stage.provider)  # noqa: S106
    stage.instrumentation = f"langfuse {version('langfuse')}"

    @observe(name="retrieve", as_type="retriever")
    def retrieve(query: str) -> Any:
        return PLAIN(found(query))

    @observe(name="generate", as_type="generation")
    def generate(question: str, documents: Any) -> str:
        return answer(stage, question, documents)

    @observe(name="rag")
    def rag(question: str) -> str:
        with propagate_attributes(session_id="s-9", user_id="u-1"):
            return generate(question, retrieve(question))

    programs(stage, framework, rag, "rag", session_id="s-9", user_id="u-1")


def mlflow(stage: Stage, framework: str) -> None:
    from mlflow_exports import mlflow_exports  # noqa: PLC0415

    flush = mlflow_exports(stage)
    import mlflow as tracing  # noqa: PLC0415

    stage.instrumentation = f"mlflow-tracing {version('mlflow-tracing')}"

    @tracing.trace(name="retrieve", span_type="RETRIEVER")  # type: ignore[untyped-decorator]
    def retrieve(query: str) -> Any:
        return [
            {"id": str(doc.id), "page_content": doc.text, "metadata": {**doc.metadata, "doc_uri": f"kb/{doc.id}"}}
            for doc in found(query)
        ]

    @tracing.trace(name="generate", span_type="CHAT_MODEL")  # type: ignore[untyped-decorator]
    def generate(question: str, context: str) -> str:
        return answer(stage, question, [{"text": context}])

    @tracing.trace(name="rag", span_type="CHAIN")  # type: ignore[untyped-decorator]
    def rag(question: str) -> str:
        documents = retrieve(question)
        return str(generate(question, "\n".join(each["page_content"] for each in documents)))

    for profiles in ((KOREAN, CODE), (EQUAL, EMPTY), (METADATA, ARABIC)):
        names = "_".join(profile.name for profile in profiles)
        with stage.capture(f"{framework}_{names}", "mlflow.spanOutputs of the RETRIEVER span") as capture:
            for profile in profiles:
                stage.plan(profile)
                rag(profile.question)
                flush()
                expected = [{**context, "score": None} for context in told(profile.documents, PLAIN)]
                capture.run(profile, "rag", expected)


def main(out: Path, only: str, framework: str) -> None:
    stage = Stage(out, only, own_provider=framework.startswith("langfuse"))
    {"traceloop_sdk": traceloop, "langfuse_sdk": langfuse, "mlflow_sdk": mlflow}[framework](stage, framework)
