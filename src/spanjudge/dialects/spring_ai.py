"""Spring AI: spans of its observations, and content in the log records that it writes where it is told to.

By its reference documentation (Observability) and the message formats of its observation handlers; not by a capture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from spanjudge.conversation import Message
from spanjudge.dialects.attributes import text
from spanjudge.dialects.decode import decode
from spanjudge.dialects.documents import ranked
from spanjudge.dialects.facts import Facts, Kind
from spanjudge.dialects.messages import messages_in
from spanjudge.model import Document

if TYPE_CHECKING:
    from spanjudge.dialects.documents import Documents
    from spanjudge.sources.record import SpanRecord

name: Final = "spring_ai"
scopes: Final = ()

_KIND: Final = "spring.ai.kind"
_KINDS: Final[dict[str, Kind]] = {
    "chat_client": "chain",
    "advisor": "chain",
    "vector_store": "retriever",
    "tool_call": "tool",
}
_QUERY: Final = "db.vector.query.content"
_LIMIT: Final = "db.vector.query.top_k"
_PROMPT: Final = "Chat Model Prompt Content:"
_COMPLETION: Final = "Chat Model Completion:"
_DOCUMENTS: Final = "Vector Store Query Response:"
_TITLES: Final = (_PROMPT, _COMPLETION, _DOCUMENTS)
_CONVERSATIONS: Final = ("spring.ai.chat.client.conversation.id", "gen_ai.conversation.id")


def kind(span: SpanRecord) -> Kind | None:
    """What the span does; of a vector store only a query is a search."""
    word = str(span.attributes.get(_KIND))
    if word == "vector_store" and span.attributes.get("db.operation.name") != "query":
        return None
    return _KINDS.get(word)


def speaks(span: SpanRecord) -> bool:
    """Whether the span bears this dialect's marks."""
    return _KIND in span.attributes or bool(_written(span))


def read(span: SpanRecord) -> Facts:
    """All that the span and its log records say."""
    given = span.attributes
    role = kind(span)
    written = _written(span)
    facts = Facts(
        kind=role,
        query=text(given, _QUERY),
        session=text(given, *_CONVERSATIONS),
        dialects=(name,),
    )
    if _PROMPT in written or _COMPLETION in written:
        facts = replace(facts, input_messages=_prompted(written.get(_PROMPT)), output_messages=_completed(written))
    if _DOCUMENTS in written:
        documents = _documents(written[_DOCUMENTS], given.get(_LIMIT))
        facts = replace(
            facts,
            documents=None if documents is None else ranked(documents, span.span_id),
            cut=documents is None,
        )
    if role == "tool":
        return replace(
            facts,
            tool_name=text(given, "spring.ai.tool.definition.name"),
            tool_args=decode(given.get("spring.ai.tool.call.arguments")),
            tool_result=decode(given.get("spring.ai.tool.call.result"), quoted=True),
        )
    return facts


def _written(span: SpanRecord) -> dict[str, str]:
    """Contents of the span's log records by their titles."""
    found = {}
    for part in span.logs:
        if isinstance(part.body, str):
            title, _, content = part.body.partition("\n")
            if title.strip() in _TITLES:
                found[title.strip()] = content.strip()
    return found


def _texts(content: str) -> list[str] | None:
    """Read ``["a", "b"]`` as Spring AI writes it: in quotes, without escapes."""
    whole = decode(content)
    if isinstance(whole, Sequence) and not isinstance(whole, str):
        return [str(item) for item in whole]
    if not (content.startswith('["') and content.endswith('"]')):
        return None
    return content[2:-2].split('", "')


def _prompted(content: str | None) -> tuple[Message, ...]:
    """What the model was asked: the messages of a conversation without their roles, of which the last one asks."""
    if content is None:
        return ()
    structured = messages_in(content)
    if structured:
        return structured
    texts = _texts(content) or []
    return tuple(Message("user" if text is texts[-1] else "system", text) for text in texts)


def _completed(written: dict[str, str]) -> tuple[Message, ...]:
    content = written.get(_COMPLETION)
    if content is None:
        return ()
    structured = messages_in(content)
    return structured or tuple(Message("assistant", text) for text in _texts(content) or ())


def _documents(content: str, limit: object) -> Documents | None:
    """Texts in their order; None where one holds the separator, so that there are more than were asked for."""
    texts = _texts(content)
    if texts is None or (isinstance(limit, int) and len(texts) > limit):
        return None
    return tuple(Document(text=text) for text in texts)
