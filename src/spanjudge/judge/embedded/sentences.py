"""Sentences, claims and statements of a text, by punctuation alone: English, Korean, Chinese, Japanese, markdown."""

from __future__ import annotations

import re
from typing import Final

from spanjudge.judge.embedded.tokens import HAN, HANGUL, KANA

# An end of a sentence: wide marks end one anywhere; narrow ones before a blank and something that may begin one.
_END: Final = re.compile(
    r"[。！？｡；]+[”’」』）》\"'）]*"
    r"|(?:[.!?]{1,3}|…)[\"'”’»)\]」』]*(?:\[\d{1,3}\])*(?=\s+[^\s])"
    r"|;(?=\s+[^\s])"
)
# A quotation that ended a sentence, and a sentence that goes on around it.
_QUOTED_ON: Final = re.compile(r"[とっ]")
_LINE_MARK: Final = re.compile(r"^\s*(?:>\s*)*(?:[-*+•·–—]\s+|\(?\d{1,3}[.)、]\s+|[a-zA-Z]\)\s+|#{1,6}\s+|[①-⑳]\s*)?")
_HEADING: Final = re.compile(r"^\s*(?:>\s*)*#{1,6}\s")
_FENCE: Final = re.compile(r"^\s*(?:```|~~~)")
_RULE: Final = re.compile(r"^[\s|:*_=+>#-]*$")
# Emphasis around words; not the same signs in code: __init__, **options, 2 ** 3.
_STRONG: Final = re.compile(r"(?<![\w*])\*\*(?=[^\s*])([^*\n]{1,300})(?<=\S)\*\*(?![\w*])")
_TICKS: Final = re.compile(r"`|~~")
_LINK: Final = re.compile(r"!?\[([^\[\]\n]{0,300})\]\([^()\s]{0,500}\)")
_CITATION: Final = re.compile(r"\s*\[\^?\d{1,3}\]")
_ABBREVIATION: Final = re.compile(
    r"(?:^|[\s(\"'“])(?:mr|mrs|ms|dr|prof|st|sr|jr|rev|gen|col|lt|sen|rep|gov|vs|inc|ltd|co|corp|vol|pp?|fig|approx|est"
    r"|dept|al|ca|cf|e\.g|i\.e|ph\.d|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.$",
    re.IGNORECASE,
)
_INITIAL: Final = re.compile(r"(?:^|[A-Z][\w.'’-]*\s|\.)[A-Z]\.$")
_NUMBERED: Final = re.compile(r"\bnos?\.$", re.IGNORECASE)
_ASKS: Final = re.compile(r"[?？][\"'”’」』）)\]]*$")
_COMMAND: Final = re.compile(
    r"^(?:please|kindly|click|see|visit|note|remember|let(?:'s| me| us)|feel free|try|check|ask|tell|look|go|read|enjoy"
    r"|don't|do not|never mind|have a)\b"
    r"|^请|^請|(?:하세요|주세요|십시오|보세요|해라|하라)[.!]?$|(?:ください|下さい|なさい)[。!！]?$",
    re.IGNORECASE,
)
_FACT: Final = re.compile(r"\d|\b(?!Please\b)(?<=\s)[A-Z]")
_SAYS_SOMETHING: Final = re.compile(rf"[^\W_]|[{HAN}{KANA}{HANGUL}]")
_BARE_COMMAND_LENGTH: Final = 60
MOST_ITEMS: Final = 500
_LONGEST_TEXT: Final = 1_000_000
# A line shorter than this was not wrapped by an editor: it is an item or a heading of its own.
_WRAPPED: Final = 30
_LONGEST_LINE: Final = 2_000
_NEAR: Final = 30


def split_sentences(text: str) -> list[str]:
    """Cut a text into its sentences, list items and lines, marks of markdown taken off.

    >>> split_sentences("Dr. Kim paid 3.5 dollars. He left!")
    ['Dr. Kim paid 3.5 dollars.', 'He left!']
    >>> split_sentences("他说：“好。”然后走了。")
    ['他说：“好。”', '然后走了。']
    """
    return [sentence for line in _lines(text) for sentence in _split_line(_clean(line))]


def extract_claims(text: str) -> list[str]:
    """Take the sentences that assert something; questions, bare commands, headings and lead-ins are left out."""
    return [claim for claim in _assertions(text) if not _ASKS.search(claim) and not _is_bare_command(claim)][
        :MOST_ITEMS
    ]


def extract_statements(text: str) -> list[str]:
    """Take every sentence that says something; headings and lead-ins are left out where anything else stands."""
    return _assertions(text)[:MOST_ITEMS]


def _assertions(text: str) -> list[str]:
    kept: list[str] = []
    fenced = False
    for line in _lines(text):
        if _FENCE.match(line):
            fenced = not fenced
        elif not fenced and not _HEADING.match(line):
            kept.extend(
                shown
                for sentence in _split_line(_clean(line))
                if (shown := _CITATION.sub("", sentence).strip()) and not shown.endswith((":", "："))
            )
    return kept or [shown for sentence in split_sentences(text) if (shown := _CITATION.sub("", sentence).strip())]


def _lines(text: str) -> list[str]:
    """Lines, with hard-wrapped ones joined: a line that goes on in lower case is the same sentence."""
    lines: list[str] = []
    for line in text[:_LONGEST_TEXT].splitlines():
        before = lines[-1].rstrip() if lines else ""
        if line[:1].islower() and _WRAPPED <= len(before) <= _LONGEST_LINE and before[-1] not in ".!?:;。！？：；":
            lines[-1] = f"{before} {line}"
        else:
            lines.append(line)
    return lines


def _clean(line: str) -> str:
    if _RULE.match(line) or _FENCE.match(line):
        return ""
    line = _LINE_MARK.sub("", line, count=1)
    return _TICKS.sub("", _STRONG.sub(r"\1", _LINK.sub(r"\1", line))).strip(" |\t")


def _split_line(line: str) -> list[str]:
    pieces: list[str] = []
    begin = 0
    for match in _END.finditer(line):
        if not _goes_on(line, begin, match):
            pieces.append(line[begin : match.end()].strip(" ;；"))
            begin = match.end()
    pieces.append(line[begin:].strip())
    return [piece for piece in pieces if _SAYS_SOMETHING.search(piece)]


def _goes_on(line: str, begin: int, match: re.Match[str]) -> bool:
    """Tell whether what looks like an end is none: an abbreviation, an initial, a quotation inside a sentence."""
    mark, end = match.group(), match.end()
    rest = line[end : end + _NEAR].lstrip()
    if mark[0] not in ".!?":
        return len(mark) > 1 and bool(_QUOTED_ON.match(rest))
    if rest[:1].islower():
        return True
    before = line[max(begin, end - _NEAR) : end]
    if mark != ".":
        return False
    if _NUMBERED.search(before):
        return rest[:1].isdigit()
    return bool(_ABBREVIATION.search(before) or _INITIAL.search(before))


def _is_bare_command(sentence: str) -> bool:
    return len(sentence) <= _BARE_COMMAND_LENGTH and bool(_COMMAND.search(sentence)) and not _FACT.search(sentence)
