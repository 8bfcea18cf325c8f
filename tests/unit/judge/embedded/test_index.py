from hypothesis import given
from hypothesis import strategies as st

from spanjudge.judge.embedded.index import WINDOW, Index
from spanjudge.judge.embedded.pieces import MOST_CHARACTERS, allowances, pieces


def index_of(*contexts: str) -> Index:
    index = Index()
    for number, context in enumerate(contexts):
        index.add(number, context)
    return index


def test_the_window_with_most_weight_wins_whatever_its_context() -> None:
    index = index_of("Alpha stands here.", "Alpha and beta. Gamma stands next.", "Beta alone.")
    window = index.best_window({"alpha": 2.0, "beta": 2.0, "gamma": 1.0})
    assert window is not None
    assert (window.context, window.found) == (1, 5.0)


def test_a_window_never_reaches_into_the_next_context() -> None:
    index = index_of("Nothing. Alpha stands.", "Beta stands.")
    window = index.best_window({"alpha": 1.0, "beta": 1.0})
    assert window is not None
    assert window.found == 1.0
    assert {sentence.context for sentence in window.sentences} == {window.context}


def test_a_window_holds_three_sentences_at_most() -> None:
    index = index_of("Alpha one. Filler two. Beta three. Filler four. Gamma five.")
    window = index.best_window({"alpha": 1.0, "beta": 1.0, "gamma": 1.0})
    assert window is not None
    assert len(window.sentences) == WINDOW
    assert window.found == 2.0


def test_no_token_anywhere_is_no_window() -> None:
    assert index_of("Alpha stands.").best_window({"omega": 1.0}) is None
    assert Index().best_window({"omega": 1.0}) is None
    assert index_of("Alpha stands.").best_window({}) is None


def test_equal_windows_give_the_earlier_one() -> None:
    window = index_of("Alpha stands.", "Alpha stands.").best_window({"alpha": 1.0})
    assert window is not None
    assert window.context == 0


def test_a_token_in_very_many_sentences_still_counts_beside_a_rarer_one() -> None:
    index = index_of("Alpha stands. " * 1_000 + "Alpha meets beta.", "Beta alone.")
    window = index.best_window({"alpha": 1.0, "beta": 1.0})
    assert window is not None
    assert (window.context, window.found) == (0, 2.0)


def test_a_token_in_very_many_sentences_is_found_when_it_stands_alone() -> None:
    window = index_of("Alpha stands. " * 1_000).best_window({"alpha": 1.0})
    assert window is not None
    assert window.found == 1.0


def test_a_sentence_without_end_is_cut() -> None:
    index = index_of("alpha beta gamma delta " * 100)
    assert max(len(sentence.keys) for sentence in index.sentences) == 60


def test_an_index_says_when_it_is_full() -> None:
    index = Index()
    assert not index.full
    index.add(0, "Alpha.\n" * 20_000)
    assert index.full


@given(st.text(max_size=12_000))
def test_pieces_put_together_are_the_text(text: str) -> None:
    cut = list(pieces(text))
    assert "".join(cut) == text
    assert all(len(piece) <= 4_096 for piece in cut)


def test_pieces_end_where_a_line_or_sentence_ends() -> None:
    text = ("word " * 700 + "end.\n") * 3
    assert all(piece.endswith("\n") for piece in list(pieces(text))[:-1])


@given(st.lists(st.integers(0, 10_000), max_size=30), st.integers(0, 50_000))
def test_allowances_are_fair_and_bounded(lengths: list[int], most: int) -> None:
    allowed = allowances(lengths, most)
    assert sum(allowed) <= most
    assert all(given <= length for given, length in zip(allowed, lengths, strict=True))
    if sum(lengths) <= most:
        assert allowed == lengths
    elif lengths:
        # Whoever is cut got no less than anybody else, up to the rest of the division.
        cut = [given for given, length in zip(allowed, lengths, strict=True) if given < length]
        assert min(cut) >= max(allowed) - 1


def test_an_ask_reads_a_million_characters_at_most() -> None:
    assert sum(allowances([10**9] * 500)) <= MOST_CHARACTERS
