"""What a question asks for, and what is no answer at all."""

from __future__ import annotations

import re
from typing import Final, Literal, TypeAlias

Kind: TypeAlias = Literal["number", "name", "choice", "open"]

_NUMBER: Final = re.compile(
    r"\bwhen\b|\bhow (?:many|much|long|old|far|tall|high|large|big|deep|fast|often)\b"
    r"|\bwh(?:at|ich) (?:year|date|day|time)\b"
    r"|언제|몇|얼마|多少|几|幾|何时|何時|什么时候|いつ|いくつ|いくら|何人|何年|何日",
    re.IGNORECASE,
)
_NAME: Final = re.compile(
    r"\b(?:who|whose|whom|where)\b|누구|누가|어디|谁|誰|哪里|哪裡|哪个|どこ|どなた", re.IGNORECASE
)
_CHOICE: Final = re.compile(
    r"^\W*(?:is|are|was|were|do|does|did|can|could|will|would|has|have|had|should|may|am)\b|[吗嗎]\s*[?？]?\W*$",
    re.IGNORECASE,
)
_EXPLANATION: Final = re.compile(
    r"\b(?:why|how|explain|describe)\b|왜|어떻게|为什么|為什麼|怎么|怎麼|なぜ|どうして|どうやって", re.IGNORECASE
)
_YES_OR_NO: Final = re.compile(
    r"^\W*(?:yes|no|yep|nope|true|false|예|네|아니요|아니오|是的?|不是|否|はい|いいえ)\b\W*", re.IGNORECASE
)
_NO_ANSWER: Final = re.compile(
    r"\b(?:i|we)(?:['\u2019](?:m|re)| am| are| was| were)? (?:sorry|unable|not (?:able|sure)|do not|don['\u2019]t"
    r"|cannot|can not|can['\u2019]t|could not|couldn['\u2019]t)\b[^.]{0,40}"
    r"\b(?:know|answer|find|help|provide|determine|assist|have|sure|say|tell)\b"
    r"|\b(?:no|not enough|insufficient) (?:relevant |specific |further )?(?:information|context|details?)"
    r" (?:about|on|regarding|was|is|to answer|available|provided|found|in the)\b"
    r"|^\W*(?:error|exception|traceback|http error|http|timeout|service unavailable|internal server error)\b"
    r"\s*(?:[:!(]|\d{3}|$)"
    r"|^\W*(?:i['\u2019]?m sorry|i am sorry|sorry|i apologi[sz]e|my apologies)\b"
    r"|모르겠|알 수 없|죄송합니다|답변할 수 없|정보가 없|抱歉|对不起|不知道|无法回答|無法回答|没有相关信息"
    r"|わかりません|分かりません|申し訳|お答えでき",
    re.IGNORECASE,
)
_ASKS: Final = re.compile(r"[?？][\"'”’」』）)\]]*\s*$")
_LOOK: Final = 2_000


def kind_asked(question: str) -> Kind:
    """Tell whether a question asks for a number or date, for a name, for yes or no, or for anything.

    >>> [kind_asked(q) for q in ("How long is it?", "Who wrote it?", "Is it red?", "Why is it red?")]
    ['number', 'name', 'choice', 'open']
    """
    looked = question[:_LOOK]
    if _NUMBER.search(looked):
        return "number"
    if _NAME.search(looked):
        return "name"
    return "choice" if _CHOICE.search(looked) else "open"


def wants_fact(question: str) -> bool:
    """Tell whether a word or two may answer the question in full."""
    return kind_asked(question) != "open" or not _EXPLANATION.search(question[:_LOOK])


def is_yes_or_no(text: str) -> bool:
    """Tell whether a text begins with yes or no."""
    return bool(_YES_OR_NO.match(text[:_LOOK]))


def is_no_answer(text: str) -> bool:
    """Tell an error message, an apology or "I don't know" by its set phrases."""
    return bool(_NO_ANSWER.search(text[:_LOOK]))


def is_question(text: str) -> bool:
    """Tell whether a text ends as a question."""
    return bool(_ASKS.search(text[-_LOOK:]))
