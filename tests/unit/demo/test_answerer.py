from spanjudge.demo.answerer import NOTHING, answer
from spanjudge.demo.corpus import Passage
from spanjudge.demo.words import words


def passage(text: str, heading: str = "") -> Passage:
    return Passage("1", "t", heading, text)


def test_answer_is_the_sentences_that_share_most_with_the_question() -> None:
    text = "Cats sleep all day long. The blue house has seven windows. Blue windows let blue light into the house."
    assert answer("How many windows has the blue house?", [passage(text)]).startswith(
        "The blue house has seven windows."
    )


def test_sentences_come_in_the_order_of_the_passages() -> None:
    text = "The red house stands on a hill. Nothing else matters here at all. The red house has one red door."
    assert (
        answer("red house door", [passage(text)]) == "The red house stands on a hill. The red house has one red door."
    )


def test_better_ranked_passages_win_ties() -> None:
    first, second = passage("One red house stands here."), passage("One red house stands there.")
    assert answer("red house", [first, second]).startswith("One red house stands here.")


def test_heading_grammar_and_sessions_are_no_sentences() -> None:
    text = 'Red house\nred_house ::= "red" "house" built of bricks.\n\n>>> red house built of bricks.'
    assert answer("red house", [passage(text, "Red house")]) == NOTHING


def test_nothing_retrieved_is_said() -> None:
    assert answer("red house", []) == NOTHING


def test_words_are_stemmed_and_common_ones_dropped() -> None:
    assert words("The loops were looping and looped") == ["loop", "were", "loop", "loop"]
    assert words("is its as") == []
