import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanjudge.judge.embedded.evidence import FEATURES, Evidence, features, read_item, share, weigh
from spanjudge.judge.embedded.index import WINDOW, Index
from spanjudge.judge.embedded.sentences import split_sentences


def evidence(claim: str, *contexts: str) -> Evidence:
    index = Index()
    for number, context in enumerate(contexts):
        index.add(number, context)
    return weigh(read_item(claim), index)


def test_a_claim_that_stands_there_has_full_evidence() -> None:
    found = evidence("Einstein was born in Ulm.", "Nothing here.", "Einstein was born in Ulm.")
    assert (found.window, found.bigram, found.closeness) == (1.0, 1.0, 1.0)
    assert (found.names, found.rarest, found.numbers, found.negation, found.rivals) == (0.0, 0.0, 0.0, 0.0, ())
    assert found.context == 1


def test_a_claim_of_which_nothing_stands_there_has_none() -> None:
    found = evidence("Einstein was born in 1879.", "Water damage is excluded.")
    assert (found.window, found.found, found.place) == (0.0, frozenset(), None)
    assert (found.numbers, found.rarest) == (1.0, 1.0)


def test_rare_words_weigh_more_than_common_ones() -> None:
    claim = "The zeugma year."
    assert evidence(claim, "A zeugma stands.").window > evidence(claim, "A year passes.").window


def test_a_missing_number_is_seen_and_its_rival_named() -> None:
    found = evidence("The warranty lasts 12 months.", "The warranty lasts 24 months.")
    assert (found.numbers, found.rivals) == (1.0, ("24",))


def test_a_rival_number_is_one_of_the_same_length_where_there_is_one() -> None:
    found = evidence("Einstein was born in 1897.", "Einstein was born on 14 March 1879.")
    assert found.rivals == ("1879",)


def test_a_number_in_another_matter_is_no_rival() -> None:
    assert evidence("The warranty lasts 12 months.", "The shop opened 24 branches in Ulm.").rivals == ()


def test_a_name_in_the_same_place_is_a_rival() -> None:
    assert evidence("Lyon is the capital of France.", "Paris is the capital of France.").rivals == ("Paris",)


def test_an_abbreviation_a_kindred_or_a_distant_name_is_no_rival() -> None:
    assert evidence("Teachers in the UK need a degree.", "Teachers in England need a degree.").rivals == ()
    assert evidence("Canada won the hockey cup.", "Canadian won the hockey cup.").rivals == ()
    assert evidence("The hockey cup went to Sweden.", "The hockey cup, said Jones, went far.").rivals == ()


@pytest.mark.parametrize(
    ("claim", "context", "denied"),
    [
        ("The warranty covers water damage.", "The warranty does not cover water damage.", True),
        ("The warranty does not cover water damage.", "The warranty covers water damage.", True),
        ("The warranty does not cover water damage.", "The warranty doesn't cover any water damage.", False),
        ("The warranty covers water damage.", "The warranty covers water damage.", False),
        ("The warranty covers water damage.", "The warranty covers water damage, but no theft.", False),
        ("水损在保修范围内。", "水损不在保修范围内。", True),
        ("물에 의한 손상은 보증된다.", "물에 의한 손상은 보증되지 않는다.", True),
    ],
)
def test_a_negation_on_one_side_is_a_denial(claim: str, context: str, *, denied: bool) -> None:
    assert bool(evidence(claim, context).negation) is denied


def test_a_negation_in_a_long_sentence_on_more_is_no_denial() -> None:
    context = (
        "While the shop in Ulm does not sell phones or tablets on Sundays, whatever the weather, the warranty covers"
        " damage by water and theft abroad."
    )
    assert evidence("The warranty covers water damage.", context).negation == 0.0


def test_a_kindred_word_is_seen() -> None:
    assert evidence("Its development took years.", "It was developed over years.").kin > 0
    assert evidence("Its colour took years.", "It was developed over years.").kin == 0


def test_an_item_without_words_has_no_evidence() -> None:
    assert evidence("of the and", "of the and").window == 0.0
    assert evidence("", "").window == 0.0


def test_share_is_of_rarity_and_zero_without_keys() -> None:
    item = read_item("zeugma year")
    assert share(item, {"zeugma", "year"}, {"zeugma"}) == pytest.approx(6.5 / 8.5)
    assert share(item, set(), {"zeugma"}) == 0.0


def test_a_very_long_item_is_cut() -> None:
    assert len(read_item("alpha beta " * 100_000).tokens) == 200


VOCABULARY = "Paris Lyon 12 24 not warranty covers water damage the year . , zeugma 보증 保修期 없다 不"
WORDS = st.lists(st.sampled_from(VOCABULARY.split()), max_size=30).map(" ".join)


@given(WORDS, st.lists(WORDS, max_size=4))
def test_features_are_finite_shares(claim: str, contexts: list[str]) -> None:
    found = features(evidence(claim, *contexts))
    assert set(found) == set(FEATURES)
    assert all(-1e-9 <= value <= 1 + 1e-9 for value in found.values())


@given(WORDS, WORDS)
def test_a_text_of_one_window_holds_itself_whole(left: str, right: str) -> None:
    found = evidence(left, right, left)
    if read_item(left).tokens and len(split_sentences(left)) <= WINDOW:
        assert found.window == pytest.approx(1.0)
        assert found.numbers == 0.0
