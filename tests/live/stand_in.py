"""What the stand-in model says to any of the programs: it searches once, then answers."""

from __future__ import annotations

import json
from typing import Any, Final

from spanjudge.testing.model_server import Completion

ANSWER: Final = "The battery warranty lasts 24 months from the date of purchase."
_FIELDS: Final = "[[ ## reasoning ## ]]\nThe handbook says so.\n\n[[ ## answer ## ]]\n{}\n\n[[ ## completed ## ]]"


def reply(body: dict[str, Any]) -> str | Completion:
    """Answer one request of a program by the tools that it offers, and by what was said before."""
    tools = {tool["function"]["name"] for tool in body.get("tools") or ()}
    messages = body["messages"]
    if "search_handbook" in tools and not any(message["role"] == "assistant" for message in messages):
        return _call("search_handbook", query="battery warranty last")
    if "final_answer" in tools:
        return _call("final_answer", answer=ANSWER)
    asks_for_fields = "[[ ## completed ## ]]" in json.dumps(messages)
    return _FIELDS.format(ANSWER) if asks_for_fields else ANSWER


def _call(name: str, **arguments: str) -> Completion:
    call = {"id": f"call-{name}", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
    return Completion(tool_calls=[call], finish_reason="tool_calls")
