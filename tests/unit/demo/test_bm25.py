import math

import pytest

from spanjudge.demo.bm25 import K1, B, Bm25
from spanjudge.demo.corpus import Passage, passages, read_topics
from spanjudge.demo.questions import read_questions


def index(*texts: str) -> Bm25:
    return Bm25([Passage(str(number), "t", "", text) for number, text in enumerate(texts)])


def test_score_is_the_formula() -> None:
    # Two passages of 2 and 4 words; "apple" stands twice in the second alone.
    (hit,) = index("pear plum", "apple apple pear plum").search("apple", 5)
    rarity = math.log(1 + (2 - 1 + 0.5) / (1 + 0.5))
    expected = rarity * 2 * (K1 + 1) / (2 + K1 * (1 - B + B * 4 / 3))
    assert hit.passage.id == "1"
    assert hit.score == pytest.approx(expected)


def test_rare_words_count_for_more_than_common_ones() -> None:
    hits = index("cat dog", "cat bird", "cat fish").search("cat bird", 3)
    assert [hit.passage.id for hit in hits] == ["1", "0", "2"]


def test_no_more_hits_than_wanted_and_none_without_a_shared_word() -> None:
    found = index("cat", "cat", "dog")
    assert len(found.search("cat", 1)) == 1
    assert found.search("unicorn", 5) == []
    assert found.search("cat", 0) == []


def test_empty_index_finds_nothing() -> None:
    assert index().search("cat", 5) == []


def test_most_questions_of_the_demo_find_their_facts_among_four_hits() -> None:
    def joined(text: str) -> str:
        return " ".join(text.split()).replace("- ", "-")

    manual = Bm25(passages(read_topics()))
    facts, found = 0, 0
    for question in read_questions():
        texts = [joined(hit.passage.text) for hit in manual.search(question.text, 4)]
        facts += len(question.facts)
        found += sum(any(joined(fact.quote) in text for text in texts) for fact in question.facts)
    assert found / facts > 0.8
