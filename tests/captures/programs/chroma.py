"""Chroma and the OpenAI client called by hand under a span of the application, seen by Traceloop."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Any

import chromadb
from decorated import answer
from model import embed
from opentelemetry.instrumentation.chromadb import ChromaInstrumentor
from opentelemetry.instrumentation.openai import OpenAIInstrumentor
from profiles import CODE, EQUAL, GERMAN, KOREAN, MANY, METADATA
from stage import Stage


def main(out: Path, only: str, framework: str) -> None:
    stage = Stage(out, only)
    ChromaInstrumentor().instrument(tracer_provider=stage.provider)
    OpenAIInstrumentor().instrument(tracer_provider=stage.provider)
    name = "opentelemetry-instrumentation-chromadb"
    stage.instrumentation = f"{name} {version(name)} (chromadb {version('chromadb')})"
    client = chromadb.EphemeralClient(chromadb.Settings(anonymized_telemetry=False))
    for profiles in ((KOREAN, CODE), (EQUAL, GERMAN), (MANY,), (METADATA,)):
        names = "_".join(profile.name for profile in profiles)
        store = {profile.name: client.get_or_create_collection(f"kb-{profile.name}") for profile in profiles}
        for profile in profiles:
            store[profile.name].add(
                ids=[str(doc.id) for doc in profile.documents],
                documents=[doc.text for doc in profile.documents],
                embeddings=[embed(doc.text) for doc in profile.documents],
                metadatas=[{"text": "decoy", "id": "row-1", "rank": 9} for _ in profile.documents],
            )
        note = "distances: lower is better"
        with stage.capture(f"{framework}_{names}", "span events db.query.result", note) as capture:
            for profile in profiles:
                stage.plan(profile)
                with stage.tracer.start_as_current_span("handle_request"):
                    result: Any = store[profile.name].query(
                        query_embeddings=[embed(profile.question)], n_results=len(profile.documents)
                    )
                    texts = [{"text": text} for text in result["documents"][0]]
                    answer(stage, profile.question, texts)
                expected = [
                    {"id": each, "text": text, "score": distance, "score_kind": "distance"}
                    for each, text, distance in zip(
                        result["ids"][0], result["documents"][0], result["distances"][0], strict=True
                    )
                ]
                capture.run(profile, "openai.chat", expected, pick="last")
