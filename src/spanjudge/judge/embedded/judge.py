"""The embedded judge: answers the built-in asks without a model, a key or a network."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from pydantic import ValidationError

from spanjudge.judge.ask import JudgeError, Reply
from spanjudge.judge.embedded import coefficients, rarity
from spanjudge.judge.embedded.claims import judge_claim
from spanjudge.judge.embedded.evidence import read_item
from spanjudge.judge.embedded.explain import explain
from spanjudge.judge.embedded.index import Index
from spanjudge.judge.embedded.language import language_of
from spanjudge.judge.embedded.phrases import PHRASES
from spanjudge.judge.embedded.pieces import allowances, pieces
from spanjudge.judge.embedded.relevancy import judge_statement
from spanjudge.judge.embedded.ruling import EVEN, Ruling
from spanjudge.judge.embedded.sentences import MOST_ITEMS, extract_claims, extract_statements
from spanjudge.judge.embedded.usefulness import judge_context, read_target
from spanjudge.model import Usage, digest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from spanjudge.judge.ask import Ask
    from spanjudge.judge.embedded.phrases import Phrases

# Raise when the same coefficients would give other verdicts: features, splitting, rules.
_REVISION: Final = 2
_FREE: Final = Usage(calls=1)


class EmbeddedJudge:
    """A lexical judge in pure Python: compares words, numbers and names; knows nothing of meaning.

    Deterministic and free; safe to share among threads and loops, since it holds no state. What it is good for and
    what not stands, measured, in ``docs/embedded-judge.md``.
    """

    @property
    def model(self) -> str:
        """``"embedded"``."""
        return "embedded"

    @property
    def fingerprint(self) -> str:
        """Revision and hash of the coefficients."""
        return _FINGERPRINT

    async def ask(self, ask: Ask, /) -> Reply:
        """Answer one ask of a built-in scorer, pausing between bites of work so that the loop stays free.

        Raises:
            JudgeError: For a task of one's own, or where the answer model does not take the built-in shape.
        """
        phrases = PHRASES[language_of(_sample(ask))]
        if ask.task == "explain":
            return Reply(explain(ask, phrases), usage=_FREE)
        if ask.task == "extract_claims":
            return _reply(ask, {"claims": await _extract(ask, extract_claims)})
        if ask.task == "extract_statements":
            return _reply(ask, {"statements": await _extract(ask, extract_statements)})
        if ask.task in {"attribute", "verify"}:
            return _reply(ask, {"verdicts": _rows(await _judge_claims(ask, phrases), ask, "index", "verdict")})
        if ask.task == "rate_usefulness":
            return _reply(
                ask, {"verdicts": _rows(await _judge_contexts(ask, phrases), ask, "context_index", "verdict")}
            )
        if ask.task == "rate_relevancy":
            return _reply(ask, {"results": _rows(await _judge_statements(ask, phrases), ask, "index", "result")})
        detail = (
            "The embedded judge answers only the built-in scorers; give a model with judge= for a scorer of your own."
        )
        raise _refusal(detail)


async def _extract(ask: Ask, extract: Callable[[str], list[str]]) -> list[str]:
    text = ask.reference if ask.reference is not None else ask.answer or ""
    found: list[str] = []
    for piece in pieces(text[: allowances([len(text)])[0]]):
        found += extract(piece)
        if len(found) >= MOST_ITEMS:
            break
        await asyncio.sleep(0)
    return found[:MOST_ITEMS]


async def _judge_claims(ask: Ask, phrases: Phrases) -> list[Ruling]:
    index = Index()
    notes: list[str] = []
    for number, allowed in enumerate(allowances([len(text) for text in ask.contexts])):
        await _fill(index, number, ask.contexts[number], allowed, notes, phrases)
    rulings: list[Ruling] = []
    for text in ask.items:
        rulings.append(judge_claim(read_item(text), index, phrases))
        await asyncio.sleep(0)
    return [Ruling(it.verdict, it.support, phrases.semicolon.join([it.reason, *notes])) for it in rulings]


async def _judge_contexts(ask: Ask, phrases: Phrases) -> list[Ruling]:
    expected = ask.reference if ask.reference is not None else ask.answer or ""
    target = read_target(ask.question or "", expected)
    rulings: list[Ruling] = []
    for number, allowed in enumerate(allowances([len(text) for text in ask.contexts])):
        index = Index()
        notes: list[str] = []
        await _fill(index, number, ask.contexts[number], allowed, notes, phrases)
        ruling = judge_context(target, index, phrases, number=number)
        rulings.append(Ruling(ruling.verdict, ruling.support, phrases.semicolon.join([ruling.reason, *notes])))
        await asyncio.sleep(0)
    return rulings


async def _judge_statements(ask: Ask, phrases: Phrases) -> list[Ruling]:
    question = read_item(ask.question or "")
    rulings: list[Ruling] = []
    for text in ask.items:
        rulings.append(judge_statement(question, text, phrases, alone=len(ask.items) == 1))
        await asyncio.sleep(0)
    return rulings


async def _fill(index: Index, number: int, text: str, allowed: int, notes: list[str], phrases: Phrases) -> None:
    read = 0
    for piece in pieces(text[:allowed]):
        if index.full:
            break
        index.add(number, piece)
        read += len(piece)
        await asyncio.sleep(0)
    if read < len(text):
        notes.append(phrases.cut.format(n=number, count=read))


def _rows(rulings: Sequence[Ruling], ask: Ask, number: str, word: str) -> list[dict[str, object]]:
    """Rulings in the shape on the wire; a word that the scorer does not take becomes no."""
    taken = ask.vocabulary or (("yes", "no") if ask.task == "attribute" else ("yes", "unsure", "no"))
    return [
        {
            number: at,
            "reason": ruling.reason,
            word: ruling.verdict if ruling.verdict in taken else "no",
        }
        for at, ruling in enumerate(rulings)
    ]


def _reply(ask: Ask, value: dict[str, object]) -> Reply:
    if ask.answer_model is None:
        detail = f"The embedded judge needs an answer model for {ask.task}; the ask has none."
        raise _refusal(detail)
    try:
        return Reply(ask.answer_model.model_validate(value), usage=_FREE)
    except ValidationError as error:
        detail = f"The answer model {ask.answer_model.__name__} does not take the built-in shape of {ask.task}."
        raise _refusal(detail) from error


def _refusal(detail: str) -> JudgeError:
    return JudgeError("judge_bad_request", detail, _FREE)


def _sample(ask: Ask) -> str:
    """What the reason is read beside: the items, else the answer or reference, else the question."""
    texts = ask.items or tuple(verdict.item for verdict in ask.verdicts[:1])
    return texts[0] if texts else ask.reference or ask.answer or ask.question or ""


def _fingerprint() -> str:
    models = {
        name: asdict(value) for name, value in vars(coefficients).items() if isinstance(value, coefficients.Model)
    }
    thresholds = (EVEN, coefficients.UNSURE, coefficients.RELEVANT)
    return f"embedded/{_REVISION}-{digest(repr(models), repr(thresholds), repr(rarity.STEMS))[:8]}"


_FINGERPRINT: Final = _fingerprint()
