from spanjudge.demo.corpus import LEAST_CHARS, passages, read_topics

TOPIC = """The "thing" statement
*********************

First paragraph.

   thing_stmt ::= "thing"

Details
=======

Second paragraph.
"""


def test_passages_stand_under_their_headings() -> None:
    first, second = passages({"thing": TOPIC})
    assert (first.topic, first.heading) == ("thing", 'The "thing" statement')
    assert first.text == 'The "thing" statement\nFirst paragraph.\n\n   thing_stmt ::= "thing"'
    assert (second.heading, second.text) == ("Details", "Details\nSecond paragraph.")


def test_paragraph_that_several_topics_repeat_is_kept_in_the_shortest() -> None:
    longer = TOPIC + "\nThird paragraph, with more to say.\n"
    found = passages({"all": longer, "thing": TOPIC})
    assert [passage.topic for passage in found] == ["thing", "thing", "all"]
    assert found[2].text.endswith("Third paragraph, with more to say.")


def test_short_paragraphs_are_joined_and_long_ones_stand_alone() -> None:
    long = "x" * LEAST_CHARS
    found = passages({"t": f"Head\n====\n\none\n\ntwo\n\n{long}\n\n{long}y\n"})
    assert [len(passage.text.split("\n\n")) for passage in found] == [3, 1]


def test_text_without_a_heading_is_a_passage_too() -> None:
    assert passages({"t": "Just text."})[0].text == "\nJust text."


def test_empty_topics_have_no_passages() -> None:
    assert passages({"t": "", "u": "Head\n****\n\n\n"}) == ()


def test_manual_of_this_python_gives_hundreds_of_passages_with_ids_of_their_own() -> None:
    found = passages(read_topics())
    assert len(found) > 500
    assert len({passage.id for passage in found}) == len(found)
    assert max(len(passage.text) for passage in found) < 10_000
