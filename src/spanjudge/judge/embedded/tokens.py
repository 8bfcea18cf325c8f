"""Words, numbers, names and character pairs of a text, reduced to what can be compared."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, Literal, NamedTuple, TypeAlias

from spanjudge.judge.embedded.rarity import RAREST, rarity
from spanjudge.judge.embedded.words import EMPTY_PAIRS, NEGATORS, NUMBER_WORDS, STOPWORDS, TENS, WHOLE

Kind: TypeAlias = Literal["word", "name", "number", "pair"]

HANGUL: Final = "\uac00-\ud7a3"
KANA: Final = "\u3040-\u30ff\u31f0-\u31ff"
HAN: Final = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"

_SCAN: Final = re.compile(
    rf"(?P<mark>\[\^?\d{{1,3}}\]|https?://\S+)"
    rf"|(?P<stop>[.;:!?,](?=\s))"
    rf"|(?P<number>\d[\d.,]*)"
    rf"|(?P<cjk>[{HAN}{KANA}]+)"
    rf"|(?P<hangul>[{HANGUL}]+)"
    rf"|(?P<word>[^\W\d_{HAN}{KANA}{HANGUL}]+(?:['\u2019][^\W\d_]+)?)"
)
_LONGEST_WORD: Final = 40
# How many words a negation reaches over, stop words included, unless a mark of punctuation comes first.
_REACH: Final = 3

_NOT_ONLY: Final = re.compile(r"\s+(?:only|just|merely|least)\b")
_NEGATION_CJK: Final = re.compile(
    "不(?![仅僅但过過只断斷同])|没|沒|未(?![来來])|[无無](?=法|需|须|須|效)|[并並]非|않|아니|못하|못한|못했|없|ない|ません|なかっ"
)


class Token(NamedTuple):
    """One comparable piece: its key, what it is, and where it stands in the text."""

    key: str
    kind: Kind
    start: int
    end: int
    negated: bool = False


def tokenise(text: str) -> list[Token]:
    """Cut a text into tokens, stop words left out.

    English words become stems, number words digits; runs of Han, kana and Hangul become overlapping character pairs.

    >>> [token.key for token in tokenise("The twenty-four months of cover")]
    ['24', 'month', 'cover']
    >>> [token.key for token in tokenise("보증 기간")]
    ['보증', '기간']
    """
    tokens: list[Token] = []
    reach = 0
    denied = bool(_NEGATION_CJK.search(text))
    for match in _SCAN.finditer(text):
        kind = match.lastgroup
        start, end = match.span()
        if kind == "word":
            if _is_negator(match.group()):
                reach = 0 if _NOT_ONLY.match(text, end) else _REACH
                continue
            _add_word(tokens, text, start, end, negated=reach > 0)
            reach -= 1
        elif kind == "stop":
            reach = 0
        elif kind == "number":
            _add_number(tokens, text, start, match.group())
        elif kind != "mark":
            _add_pairs(tokens, text, start, end, negated=denied)
    if tokens and tokens[0].kind == "name" and not _opens_with_name(tokens, text):
        tokens[0] = tokens[0]._replace(kind="word")
    return tokens


def _opens_with_name(tokens: list[Token], text: str) -> bool:
    """A first word has a capital anyway: it is a name where another follows it or ordinary text hardly knows it."""
    first = tokens[0]
    if len(tokens) > 1 and tokens[1].kind == "name" and tokens[1].start == first.end + 1:
        return True
    return rarity(first.key) >= RAREST and not text[first.start : first.end].endswith(("ly", "ing"))


def _is_negator(word: str) -> bool:
    lowered = word[:_LONGEST_WORD].lower()
    return lowered in NEGATORS or lowered.endswith(("n't", "n\u2019t"))


def _add_word(tokens: list[Token], text: str, start: int, end: int, *, negated: bool) -> None:
    surface = text[start:end]
    key = stem(surface[:_LONGEST_WORD].lower())
    if not key:
        return
    if key.isdigit():
        previous = tokens[-1] if tokens else None
        joined = previous is not None and previous.kind == "number" and text[previous.end : start] in {" ", "-"}
        if previous is not None and joined and _is_tens(text[previous.start : previous.end]) and 0 < int(key) <= 9:  # noqa: PLR2004
            tokens[-1] = Token(str(int(previous.key) + int(key)), "number", previous.start, end)
        else:
            tokens.append(Token(key, "number", start, end))
        return
    tokens.append(Token(key, "name" if surface[0].isupper() else "word", start, end, negated))


def _add_number(tokens: list[Token], text: str, start: int, surface: str) -> None:
    key, length = _number(surface)
    if len(key) == 2 and tokens and start >= 1 and text[start - 1] in "-–/":  # noqa: PLR2004
        previous = tokens[-1]
        if previous.kind == "number" and previous.end == start - 1 and len(previous.key) == 4:  # noqa: PLR2004
            key = previous.key[:2] + key
    tokens.append(Token(key, "number", start, start + length))


def _add_pairs(tokens: list[Token], text: str, start: int, end: int, *, negated: bool) -> None:
    if end - start == 1:
        tokens.append(Token(text[start:end], "pair", start, end, negated))
        return
    for at in range(start, end - 1):
        pair = text[at : at + 2]
        if pair not in EMPTY_PAIRS:
            tokens.append(Token(pair, "pair", at, at + 2, negated))


def _is_tens(surface: str) -> bool:
    return surface.lower() in TENS


@lru_cache(maxsize=1024)
def _number(surface: str) -> tuple[str, int]:
    shown = surface.rstrip(".,")
    key = re.sub(r",(?=\d{3}(?!\d))", "", shown)
    if "." in key:
        whole, _, rest = key.partition(".")
        key = f"{whole}.{rest.rstrip('0')}".rstrip(".")
    return (key.lstrip("0") or "0")[:_LONGEST_WORD], len(shown)


@lru_cache(maxsize=16384)
def stem(word: str) -> str:
    """Reduce a lower-case word to its stem; a number word to digits; a stop word to nothing.

    >>> stem("batteries"), stem("stopped"), stem("nine"), stem("the")
    ('battery', 'stop', '9', '')
    """
    word = word.replace("\u2019", "'").removesuffix("'s")
    if word in STOPWORDS or word in NEGATORS or "n't" in word:
        return ""
    if word in NUMBER_WORDS:
        return str(NUMBER_WORDS[word])
    if not word.isascii() or len(word) < 4 or word in WHOLE:  # noqa: PLR2004
        return word
    return _strip_suffix(_strip_plural(word))


def _strip_plural(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:  # noqa: PLR2004
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _strip_suffix(word: str) -> str:
    for suffix in ("ing", "ed", "ly"):
        base = word[: -len(suffix)]
        if word.endswith(suffix) and len(base) > 2 and re.search("[aeiouy]", base):  # noqa: PLR2004
            word = base
            if len(base) > 3 and base[-1] == base[-2] and base[-1] not in "lsz":  # noqa: PLR2004
                word = base[:-1]
            break
    return word[:-1] if word.endswith("e") and len(word) > 3 else word  # noqa: PLR2004
