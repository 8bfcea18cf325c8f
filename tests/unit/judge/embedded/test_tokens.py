import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanjudge.judge.embedded.tokens import stem, tokenise


def keys(text: str) -> list[str]:
    return [token.key for token in tokenise(text)]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("battery", "batteries"),
        ("cover", "covered"),
        ("stop", "stopping"),
        ("make", "making"),
        ("box", "boxes"),
        ("Paris", "Paris's"),
        ("quick", "quickly"),
        ("year", "years"),
    ],
)
def test_forms_of_a_word_have_one_stem(left: str, right: str) -> None:
    assert keys(left.lower()) == keys(right.lower())
    assert keys(left.lower())


@pytest.mark.parametrize(
    ("left", "right"), [("university", "universe"), ("bus", "bu"), ("new", "news"), ("1879", "1897")]
)
def test_different_words_keep_different_keys(left: str, right: str) -> None:
    assert keys(left) != keys(right)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("1,000", "1000"),
        ("1000", "1000"),
        ("1000.0", "1000"),
        ("3.50", "3.5"),
        ("007", "7"),
        ("0", "0"),
        ("24.", "24"),
        ("nine", "9"),
        ("twenty-four", "24"),
        ("twenty four", "24"),
        ("Ninety", "90"),
    ],
)
def test_ways_to_write_a_number_have_one_key(text: str, key: str) -> None:
    (token,) = tokenise(text)
    assert (token.key, token.kind) == (key, "number")


def test_two_numbers_side_by_side_stay_two() -> None:
    assert keys("five six") == ["5", "6"]
    assert keys("20 4") == ["20", "4"]


def test_a_range_of_years_names_both_years() -> None:
    assert keys("2018-19") == ["2018", "2019"]
    assert keys("1939/45") == ["1939", "1945"]
    assert keys("12-24 months") == ["12", "24", "month"]


def test_citations_and_addresses_are_no_content() -> None:
    assert keys("It works [5] https://example.com/a-b as said [12].") == keys("It works as said.")


def test_stop_words_are_left_out_and_negators_mark_what_follows() -> None:
    tokens = tokenise("The warranty does not cover water, but theft.")
    assert [(token.key, token.negated) for token in tokens] == [
        ("warranty", False),
        ("cover", True),
        ("water", True),
        ("theft", False),
    ]


@pytest.mark.parametrize("text", ["It isn't covered", "It isn’t covered", "It cannot be covered", "never covered"])
def test_negation_is_seen_in_its_forms(text: str) -> None:
    assert tokenise(text)[-1].negated


def test_not_only_is_no_negation() -> None:
    assert not any(token.negated for token in tokenise("It covers not only water damage"))


def test_capitals_make_names_but_an_ordinary_first_word_is_none() -> None:
    assert [token.kind for token in tokenise("Water reached Ulm.")] == ["word", "word", "name"]
    assert tokenise("Furthermore Ulm fell.")[0].kind == "name"  # another name follows: "Furthermore Ulm" looks like one
    assert tokenise("Additionally it fell.")[0].kind == "word"
    assert tokenise("Lyon is large.")[0].kind == "name"


def test_han_kana_and_hangul_become_pairs() -> None:
    assert keys("保修期") == ["保修", "修期"]
    assert keys("보증 기간") == ["보증", "기간"]
    assert keys("家") == ["家"]
    assert {token.kind for token in tokenise("東京タワー")} == {"pair"}


def test_mixed_scripts_are_cut_apart() -> None:
    assert keys("RCEP于2020年签署") == ["rcep", "于", "2020", "年签", "签署"]


@pytest.mark.parametrize("text", ["不在保修范围内", "보증되지 않습니다", "보증이 없습니다", "保証されません"])
def test_negation_is_seen_in_korean_chinese_and_japanese(text: str) -> None:
    assert all(token.negated for token in tokenise(text))


@pytest.mark.parametrize("text", ["不仅保修", "未来保修", "无线电话", "보증됩니다", "保証されます"])
def test_what_only_looks_like_negation_is_none(text: str) -> None:
    assert not any(token.negated for token in tokenise(text))


def test_a_very_long_word_is_cut() -> None:
    assert len(stem("x" * 40)) == 40
    assert len(keys("x" * 100_000)[0]) == 40


@given(st.text(max_size=300))
def test_tokens_stand_where_they_say_in_order(text: str) -> None:
    starts = []
    for token in tokenise(text):
        assert 0 <= token.start < token.end <= len(text)
        assert token.key
        starts.append(token.start)
    assert starts == sorted(starts)


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz", max_size=30))
def test_a_stem_is_never_longer_than_its_word_nor_lost(word: str) -> None:
    stemmed = stem(word)
    assert stemmed.isdigit() or len(stemmed) <= len(word)
