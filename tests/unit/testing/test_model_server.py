from __future__ import annotations

import http.client
import json
import socket
import urllib.error
import urllib.request
from typing import Any

import pytest

from spanjudge.testing.model_server import Completion, Disconnect, Hang, ModelServer, Slow, Status, answer_by_schema

VERDICTS = {
    "type": "object",
    "properties": {"verdicts": {"type": "array", "items": {"$ref": "#/$defs/Verdict"}}},
    "$defs": {
        "Verdict": {
            "type": "object",
            "properties": {
                "index": {"type": "integer"},
                "reason": {"anyOf": [{"type": "string"}, {"type": "null"}]},
                "verdict": {"enum": ["yes", "no"]},
            },
        }
    },
}


def post(url: str, body: dict[str, Any], timeout: float = 5) -> Any:
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=timeout) as response:
        return json.load(response)


def chat(server: ModelServer, **body: Any) -> Any:
    return post(server.url + "/chat/completions", {"model": "m", "messages": [], **body})


def said(reply: Any) -> Any:
    return reply["choices"][0]["message"]["content"]


def test_replies_come_in_order_and_then_the_default_text() -> None:
    with ModelServer(["one", {"claims": ["a"]}], text="the end") as server:
        assert [said(chat(server)) for _ in range(3)] == ["one", '{"claims": ["a"]}', "the end"]


def test_a_function_sees_the_request() -> None:
    with ModelServer(lambda body: f"model {body['model']}") as server:
        assert said(chat(server)) == "model m"


def test_a_schema_is_answered_by_the_schema() -> None:
    asked = {"type": "json_schema", "json_schema": {"name": "v", "schema": VERDICTS}}
    with ModelServer(items=2) as server:
        answer = json.loads(said(chat(server, response_format=asked)))
    assert answer == {
        "verdicts": [
            {"index": 0, "reason": "text", "verdict": "yes"},
            {"index": 1, "reason": "text", "verdict": "yes"},
        ]
    }


@pytest.mark.parametrize(
    ("schema", "value"),
    [({"const": 3}, 3), ({"type": "boolean"}, True), ({"type": "number"}, 0.0), ({"type": "null"}, None), ({}, None)],
)
def test_plain_values_are_made_by_schema(schema: dict[str, Any], value: object) -> None:
    assert answer_by_schema(schema) == value


def test_a_schema_that_contains_itself_ends() -> None:
    schema = {"$ref": "#/$defs/T", "$defs": {"T": {"type": "object", "properties": {"child": {"$ref": "#/$defs/T"}}}}}
    assert isinstance(answer_by_schema(schema), dict)


def test_a_rejected_response_format_is_a_bad_request() -> None:
    with ModelServer(rejects=["json_schema"]) as server:
        with pytest.raises(urllib.error.HTTPError) as caught:
            chat(server, response_format={"type": "json_schema"})
        caught.value.close()
        assert caught.value.code == 400
        assert said(chat(server, response_format={"type": "json_object"})) == "I do not know."
        assert [request.response_format for request in server.requests] == ["json_schema", "json_object"]


def test_a_status_carries_its_headers_and_code() -> None:
    with ModelServer([Status(429, "rate_limit", headers={"Retry-After": "7"})]) as server:
        with pytest.raises(urllib.error.HTTPError) as caught:
            chat(server)
        assert caught.value.headers["Retry-After"] == "7"
        assert json.load(caught.value)["error"]["code"] == "rate_limit"
        caught.value.close()


def test_a_hanging_reply_lets_the_client_time_out() -> None:
    with ModelServer([Hang()]) as server, pytest.raises((TimeoutError, urllib.error.URLError)):
        post(server.url + "/chat/completions", {"messages": []}, timeout=0.05)


def test_a_closed_connection_reaches_the_client() -> None:
    with ModelServer([Disconnect()]) as server, pytest.raises((http.client.RemoteDisconnected, ConnectionError)):
        chat(server)


def test_a_slow_reply_is_the_reply() -> None:
    with ModelServer([Slow(0.01, "late")]) as server:
        assert said(chat(server)) == "late"


def test_a_streamed_reply_adds_up_to_the_whole() -> None:
    body = {"model": "m", "messages": [], "stream": True, "stream_options": {"include_usage": True}}
    with ModelServer(["three little words"]) as server:
        request = urllib.request.Request(server.url + "/chat/completions", json.dumps(body).encode())
        with urllib.request.urlopen(request, timeout=5) as response:
            lines = [line[6:].strip() for line in response.read().decode().splitlines() if line.startswith("data: ")]
    assert lines[-1] == "[DONE]"
    chunks = [json.loads(line) for line in lines[:-1]]
    text = "".join(chunk["choices"][0]["delta"].get("content", "") for chunk in chunks if chunk["choices"])
    assert text == "three little words"
    assert chunks[-1]["usage"]["completion_tokens"] == 3


def test_tool_calls_and_usage_are_passed_on() -> None:
    call = {"id": "1", "type": "function", "function": {"name": "search", "arguments": "{}"}}
    reply = Completion(tool_calls=[call], finish_reason="tool_calls", usage={"prompt_tokens": 5})
    with ModelServer([reply]) as server:
        body = chat(server)
    assert body["choices"][0]["message"]["tool_calls"] == [call]
    assert body["choices"][0]["finish_reason"] == "tool_calls"
    assert body["usage"] == {"prompt_tokens": 5}


def test_a_streamed_refusal_and_tool_calls_are_passed_on() -> None:
    call = {"id": "1", "type": "function", "function": {"name": "search", "arguments": "{}"}}
    reply = Completion(refusal="no", tool_calls=[call], usage={})
    with ModelServer([reply]) as server:
        body = json.dumps({"messages": [], "stream": True}).encode()
        with urllib.request.urlopen(server.url + "/chat/completions", body, timeout=5) as response:
            text = response.read().decode()
    deltas = [json.loads(line[6:])["choices"][0]["delta"] for line in text.splitlines() if line.startswith("data: {")]
    assert {"refusal": "no"} in deltas
    assert {"tool_calls": [{"index": 0, **call}]} in deltas
    assert '"usage"' not in text


def test_an_error_in_a_reply_function_is_shown(capfd: pytest.CaptureFixture[str]) -> None:
    def broken(_: dict[str, Any]) -> str:
        message = "a mistake in the test"
        raise ZeroDivisionError(message)

    with ModelServer(broken) as server, pytest.raises((http.client.RemoteDisconnected, ConnectionError)):
        chat(server)
    assert "a mistake in the test" in capfd.readouterr().err


def test_one_text_or_one_list_of_tokens_is_one_embedding() -> None:
    with ModelServer() as server:
        for given in ("text", [1, 2, 3]):
            assert len(post(server.url + "/embeddings", {"input": given})["data"]) == 1


def test_embeddings_are_the_same_each_time_and_nearer_for_shared_words() -> None:
    texts = ["the red battery", "the red battery warranty", "parliament votes"]
    with ModelServer() as server:
        first, again = (post(server.url + "/embeddings", {"model": "e", "input": texts})["data"] for _ in range(2))
        tokens = post(server.url + "/embeddings", {"model": "e", "input": [[1, 2], [3]], "encoding_format": "base64"})
    assert first == again
    one, two, three = (entry["embedding"] for entry in first)
    assert sum(a * b for a, b in zip(one, two, strict=True)) > sum(a * b for a, b in zip(one, three, strict=True))
    assert [type(entry["embedding"]) for entry in tokens["data"]] == [str, str]


def test_requests_are_recorded_with_their_texts() -> None:
    parts = [{"type": "text", "text": "hello"}]
    with ModelServer() as server:
        chat(server, messages=[{"role": "system", "content": "be good"}, {"role": "user", "content": parts}])
        (request,) = server.requests
    assert (request.text(), request.text("system")) == ("hello", "be good")
    assert request.path == "/v1/chat/completions"
    assert request.headers["content-type"] == "application/json"


def test_unknown_paths_and_broken_bodies_are_told() -> None:
    with ModelServer() as server:
        for path, data, code in [("/nowhere", b"{}", 404), ("/chat/completions", b"{", 400)]:
            with pytest.raises(urllib.error.HTTPError) as caught:
                urllib.request.urlopen(server.url + path, data, timeout=5)
            caught.value.close()
            assert caught.value.code == code
        with urllib.request.urlopen(server.url + "/models", timeout=5) as response:
            assert json.load(response)["data"]


def test_a_stopped_server_leaves_nothing_open() -> None:
    with ModelServer() as server:
        host, port = server.url.removeprefix("http://").removesuffix("/v1").split(":")
        client = socket.create_connection((host, int(port)), timeout=5)
        client.sendall(b"GET /v1/models HTTP/1.1\r\nHost: x\r\n\r\n")
        assert client.recv(12) == b"HTTP/1.1 200"
        assert server.connections == server.open_connections == 1
    with client:
        while client.recv(4096):
            continue
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((host, int(port)), timeout=1)
