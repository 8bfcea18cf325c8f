"""OpenInference: attributes of its specification, and what its instrumentations make of them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from spanjudge import semconv
from spanjudge.dialects.attributes import as_record, text
from spanjudge.dialects.decode import REDACTED, decode, is_cut
from spanjudge.dialects.document import number_of
from spanjudge.dialects.documents import documents_in, ranked, with_ids
from spanjudge.dialects.facts import Facts, Kind
from spanjudge.dialects.flat import nested, records
from spanjudge.dialects.messages import message_of, messages_in
from spanjudge.model import Document

if TYPE_CHECKING:
    from spanjudge.conversation import Message
    from spanjudge.sources.record import Attributes, SpanRecord

name: Final = "openinference"
scopes: Final = ("openinference.instrumentation",)

_KINDS: Final[dict[str, Kind]] = {
    "AGENT": "agent",
    "CHAIN": "chain",
    "LLM": "llm",
    "RETRIEVER": "retriever",
    "RERANKER": "reranker",
    "TOOL": "tool",
    "EMBEDDING": "embedding",
    "PROMPT": "prompt",
    "GUARDRAIL": "guardrail",
    "EVALUATOR": "evaluator",
}
_INPUT: Final = "input.value"
_OUTPUT: Final = "output.value"
_RETRIEVED: Final = "retrieval.documents"
_RERANKED: Final = "reranker.output_documents"
_INPUT_MESSAGES: Final = "llm.input_messages"
_OUTPUT_MESSAGES: Final = "llm.output_messages"
_SESSION_HINTS: Final = ("session_id", "conversation_id", "thread_id")
_NODE_REPR: Final = re.compile(r"<?NodeWithScore\(node=\w+\(id_=([^,)\s]+)")
_NODES_REPR: Final = re.compile(r'\s*\[\s*"<?NodeWithScore\(')


def kind(span: SpanRecord) -> Kind | None:
    """What the span does."""
    word = span.attributes.get(semconv.OPENINFERENCE_KIND)
    return _KINDS.get(word.upper()) if isinstance(word, str) else None


def speaks(span: SpanRecord) -> bool:
    """Whether the span bears this dialect's marks."""
    return semconv.OPENINFERENCE_KIND in span.attributes


def read(span: SpanRecord) -> Facts:
    """All that the span says, decoded."""
    given = span.attributes
    role = kind(span)
    raw = (given.get(_INPUT), given.get(_OUTPUT))
    taken, returned = (None if value == REDACTED else decode(value) for value in raw)
    facts = Facts(
        kind=role,
        input=taken,
        output=returned,
        variables=as_record(given.get("llm.prompt_template.variables")),
        session_hint=_hint(given.get("metadata")),
        model=text(given, "llm.model_name", "embedding.model_name"),
        agent=text(given, "agent.name"),
        redacted=REDACTED in raw,
        cut=any(map(is_cut, raw)),
        dialects=(name,),
    )
    match role:
        case "llm":
            return _llm(facts, given)
        case "retriever" | "reranker":
            return _retriever(facts, given, span.span_id)
        case "tool":
            return _tool(facts, given)
        case "agent":
            return facts if facts.agent else replace(facts, agent=span.name or None)
        case "chain":
            broken = facts.cut and isinstance(returned, str) and _NODES_REPR.match(returned)
            return replace(facts, order=_order(returned), order_cut=bool(broken))
        case _:
            return facts


def _llm(facts: Facts, given: Attributes) -> Facts:
    taken, gap_in = _messages(given, _INPUT_MESSAGES)
    said, gap_out = _messages(given, _OUTPUT_MESSAGES)
    whole = as_record(facts.output)
    searched = [each for each in messages_in(whole.get("output")) if any(call.result for call in each.tool_invocations)]
    response_id = whole.get("id")
    return replace(
        facts,
        input_messages=taken or messages_in(facts.input),
        output_messages=(*searched, *said),
        gaps=gap_in or gap_out,
        redacted=facts.redacted or any(each.content == REDACTED for each in (*taken, *said)),
        response_id=response_id if isinstance(response_id, str) else None,
    )


def _messages(given: Attributes, prefix: str) -> tuple[tuple[Message, ...], bool]:
    found, gap = records(given, prefix)
    read_ones = (message_of(nested(record)) for record in found or ())
    return tuple(message for message in read_ones if message), gap


def _retriever(facts: Facts, given: Attributes, span_id: str) -> Facts:
    prefix = _RERANKED if facts.kind == "reranker" else _RETRIEVED
    found, gap = records(given, prefix)
    query = facts.input if isinstance(facts.input, str) else given.get("reranker.query")
    flat = [{key.removeprefix("document."): value for key, value in record.items()} for record in found or ()]
    documents = None if found is None else [_document(record, facts.kind) for record in flat]
    if documents is None and (texts := documents_in(given.get(prefix))):
        documents = list(texts)  # not spelt as the convention has it: plain texts under its name
    beside = documents_in(facts.output)
    if documents is None and beside is not None and not any(_NODE_REPR.match(each.text or "") for each in beside):
        documents = list(beside)
    elif documents and beside and not any(each.id for each in documents):
        documents = with_ids(documents, beside)
    if documents and flat and not any(each.id for each in documents):
        documents = [
            replace(document, id=_id_in_metadata(record)) for document, record in zip(documents, flat, strict=True)
        ]
    return replace(
        facts,
        query=query if isinstance(query, str) and query.strip() else None,
        documents=None if documents is None else ranked(documents, span_id),
        gaps=gap,
        redacted=facts.redacted or any(each.text == REDACTED for each in documents or ()),
    )


def _id_in_metadata(flat: Mapping[str, object]) -> str | None:
    """An id that stands among the metadata is the document's only where it has no other."""
    metadata = as_record(flat.get("metadata"))
    found = next((metadata[key] for key in ("id", "_id") if metadata.get(key) is not None), None)
    return None if found is None else str(found)


def _document(flat: Mapping[str, object], role: Kind | None) -> Document:
    metadata = as_record(flat.get("metadata"))
    score = number_of(flat.get("score"))
    kind_of_score = "rerank" if role == "reranker" else "unknown"
    if score is None:
        score = number_of(metadata.get("relevance_score"))
        kind_of_score = "rerank"
    if score is None:
        score = number_of(metadata.get("score"))
        kind_of_score = "unknown"
    found_id = flat.get("id")
    text = flat.get("content")
    return Document(
        text=None if text is None else str(text),
        id=None if found_id is None else str(found_id),
        score=score,
        score_kind="unknown" if score is None else "rerank" if kind_of_score == "rerank" else "unknown",
    )


def _tool(facts: Facts, given: Attributes) -> Facts:
    whole = as_record(facts.output)
    message = whole.get("data", whole.get("kwargs"))
    data = message if isinstance(message, Mapping) else {}
    call_id = given.get("tool_call.id", data.get("tool_call_id"))
    return replace(
        facts,
        tool_name=text(given, "tool.name", "tool_call.function.name"),
        tool_call_id=call_id if isinstance(call_id, str) else None,
        tool_args=decode(given.get("tool_call.function.arguments")) or facts.input,
        tool_result=facts.output,
        failed=data.get("status") == "error",
    )


def _order(output: object) -> tuple[str, ...]:
    """Ids in the order of a list that holds nothing but reprs of nodes, as postprocessors of LlamaIndex return it."""
    if not isinstance(output, Sequence) or isinstance(output, str) or not output:
        return ()
    found = [match[1] for item in output if isinstance(item, str) and (match := _NODE_REPR.match(item))]
    return tuple(found) if len(found) == len(output) else ()


def _hint(metadata: object) -> str | None:
    record = as_record(metadata)
    return next((str(record[key]) for key in _SESSION_HINTS if record.get(key)), None)
