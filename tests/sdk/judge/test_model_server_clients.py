"""The model server as the clients of applications see it."""

from __future__ import annotations

from collections.abc import Iterator

import openai
import pytest
from langchain_core.messages import HumanMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI, OpenAIEmbeddings

from spanjudge.testing.model_server import Completion, ModelServer, Status


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(text="The battery lasts two years.") as running:
        yield running


@pytest.fixture
def client(server: ModelServer) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=server.url, api_key="k", max_retries=0) as connected:
        yield connected


def test_openais_client_reads_plain_and_streamed_replies(client: openai.OpenAI) -> None:
    plain = client.chat.completions.create(model="m", messages=[{"role": "user", "content": "How long?"}])
    assert plain.choices[0].message.content == "The battery lasts two years."
    chunks = client.chat.completions.create(
        model="m",
        messages=[{"role": "user", "content": "How long?"}],
        stream=True,
        stream_options={"include_usage": True},
    )
    with chunks:
        parts = list(chunks)
    assert (
        "".join(part.choices[0].delta.content or "" for part in parts if part.choices) == "The battery lasts two years."
    )
    assert parts[-1].usage is not None
    assert parts[-1].usage.completion_tokens == 5


def test_openais_client_reads_embeddings_packed_and_plain(client: openai.OpenAI) -> None:
    packed = client.embeddings.create(model="e", input=["battery", "warranty"])
    plain = client.embeddings.create(model="e", input=["battery", "warranty"], encoding_format="float")
    for one, other in zip(packed.data, plain.data, strict=True):
        assert one.embedding == pytest.approx(other.embedding, abs=1e-6)


def test_openais_client_raises_what_the_status_says(server: ModelServer, client: openai.OpenAI) -> None:
    server.say(Status(429, "rate_limit_exceeded"))
    with pytest.raises(openai.RateLimitError, match="scripted error"):
        client.chat.completions.create(model="m", messages=[])


@tool
def look_up(topic: str) -> str:
    """Look a topic up in the handbook."""
    return f"All about {topic}."


def test_langchains_chat_model_answers_calls_tools_and_streams(server: ModelServer) -> None:
    chat = ChatOpenAI(model="m", base_url=server.url, api_key="k", max_retries=0)
    assert chat.invoke("How long?").content == "The battery lasts two years."
    assert "".join(str(chunk.content) for chunk in chat.stream("How long?")) == "The battery lasts two years."
    call = {"id": "c1", "type": "function", "function": {"name": "look_up", "arguments": '{"topic": "battery"}'}}
    server.say(Completion(tool_calls=[call], finish_reason="tool_calls"))
    message = chat.bind_tools([look_up]).invoke([HumanMessage("How long?")])
    assert [(made["name"], made["args"]) for made in message.tool_calls] == [("look_up", {"topic": "battery"})]


def test_langchains_embeddings_rank_the_text_that_shares_words_first(server: ModelServer) -> None:
    embeddings = OpenAIEmbeddings(model="e", base_url=server.url, api_key="k", check_embedding_ctx_length=False)
    query = embeddings.embed_query("how long does the battery last")
    near, far = embeddings.embed_documents(["the battery does last two years", "parliament votes on taxes"])
    assert sum(a * b for a, b in zip(query, near, strict=True)) > sum(a * b for a, b in zip(query, far, strict=True))
