import pytest

from spanjudge.judge.ask import Ask
from spanjudge.judge.embedded.explain import explain
from spanjudge.judge.embedded.language import Language
from spanjudge.judge.embedded.phrases import ENGLISH_BALANCED_ACCURACY, PHRASES
from spanjudge.model import Verdict


def told(*verdicts: Verdict, language: Language = "en", result: str | None = "0.67 of 1") -> str:
    return explain(Ask(task="explain", instructions="", verdicts=verdicts, result=result), PHRASES[language])


def test_explanation_names_result_items_reasons_and_judge() -> None:
    text = told(
        Verdict("Born in 1879", "yes", "found in [2]: 'Born'"),
        Verdict("Won a prize", "no", "missing: 'prize'"),
        Verdict("Lived in Bern", "unsure"),
    )
    assert text.startswith("Result 0.67 of 1: 1 yes, 1 unsure, 1 no. Yes: 'Born in 1879' (found in [2]: 'Born'). ")
    assert "Unsure: 'Lived in Bern'. No: 'Won a prize' (missing: 'prize'). " in text
    assert text.endswith(PHRASES["en"].about.format(accuracy=ENGLISH_BALANCED_ACCURACY))


def test_groups_without_items_are_left_out() -> None:
    text = told(Verdict("a", "yes"))
    assert "Yes: 'a'" in text
    assert "No: " not in text
    assert "Unsure: " not in text


def test_five_items_of_a_kind_are_named_and_the_rest_counted() -> None:
    text = told(*(Verdict(f"item {n}", "no") for n in range(8)))
    assert "'item 4'; and 3 more." in text
    assert "item 5" not in text


def test_long_items_and_reasons_are_cut_to_one_line() -> None:
    text = told(Verdict("word\n" * 10_000, "yes", "why " * 10_000))
    assert len(text) < 700
    assert "\n" not in text
    assert "…" in text


def test_no_verdicts_and_no_result_are_told_too() -> None:
    assert told(result=None).startswith("Result -: 0 yes, 0 unsure, 0 no. Judged by the embedded lexical judge")


@pytest.mark.parametrize(
    ("language", "word"),
    [("en", "Judged by"), ("ko", "내장 어휘 판정기"), ("zh", "内置词汇评判器"), ("ja", "内蔵の語彙判定器")],
)
def test_every_language_says_what_judged_and_how_well(language: Language, word: str) -> None:
    text = told(Verdict("a", "yes"), language=language)
    assert word in text
    assert str(ENGLISH_BALANCED_ACCURACY) in text


@pytest.mark.parametrize("language", ["ko", "zh", "ja"])
def test_languages_fill_the_same_blanks_as_english(language: Language) -> None:
    blanks = {"n": 0, "words": "w", "theirs": "t", "mine": "m", "count": 1, "result": "r", "accuracy": 0.5}
    words = {"yes": 1, "unsure": 2, "no": 3}
    for name in PHRASES["en"].__slots__:
        english, other = (getattr(PHRASES[each], name) for each in ("en", language))
        assert sorted(_blanks(other)) == sorted(_blanks(english)), name
        assert other.format("x", **blanks, **words)


def _blanks(template: str) -> list[str]:
    return [part.split("}")[0] for part in template.split("{")[1:]]
