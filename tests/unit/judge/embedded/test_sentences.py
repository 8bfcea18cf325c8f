import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanjudge.judge.embedded.sentences import MOST_ITEMS, extract_claims, extract_statements, split_sentences


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One fact. Another fact!", ["One fact.", "Another fact!"]),
        ("Dr. Kim met Mr. Lee. They spoke.", ["Dr. Kim met Mr. Lee.", "They spoke."]),
        ("John F. Kennedy spoke. He left.", ["John F. Kennedy spoke.", "He left."]),
        ("Take vitamin C. It helps.", ["Take vitamin C.", "It helps."]),
        ("The U.S. Army came at 5 p.m. It left.", ["The U.S. Army came at 5 p.m.", "It left."]),
        ("It costs 3.50 dollars. Pay.", ["It costs 3.50 dollars.", "Pay."]),
        ("See No. 5 there. He said no. She left.", ["See No. 5 there.", "He said no.", "She left."]),
        ("It is small, e.g. a nut. It rolls.", ["It is small, e.g. a nut.", "It rolls."]),
        ('He said "Stop." Then he left.', ['He said "Stop."', "Then he left."]),
        ("He said “Stop.” Then he left.", ["He said “Stop.”", "Then he left."]),
        ("Wait... what? Yes.", ["Wait... what?", "Yes."]),
        ("It works; nobody knows why.", ["It works", "nobody knows why."]),
        ("Supported [1]. Also this [2].", ["Supported [1].", "Also this [2]."]),
        ("他说：“好。”然后走了。", ["他说：“好。”", "然后走了。"]),
        ("第一；第二！第三？", ["第一", "第二！", "第三？"]),
        ("東京は首都です。人口は多い。", ["東京は首都です。", "人口は多い。"]),
        ("彼は「はい。」と言った。", ["彼は「はい。」と言った。"]),
        ("보증은 2년입니다. 물은 제외됩니다!", ["보증은 2년입니다.", "물은 제외됩니다!"]),
    ],
)
def test_text_is_cut_where_a_reader_would_cut_it(text: str, sentences: list[str]) -> None:
    assert split_sentences(text) == sentences


def test_list_items_and_table_rows_are_sentences_of_their_own() -> None:
    text = "- first item\n* second item\n3. third item\n4) fourth item\n| a | 1 |\n|---|---|\n"
    assert split_sentences(text) == ["first item", "second item", "third item", "fourth item", "a | 1"]


def test_marks_of_markdown_are_taken_off() -> None:
    assert split_sentences("**Bold** and `code` and [a link](http://example.com/x).") == ["Bold and code and a link."]


def test_a_line_wrapped_by_an_editor_is_one_sentence_and_a_short_line_is_its_own() -> None:
    wrapped = "The warranty of this device lasts for a period of\nfour years from the purchase."
    assert split_sentences(wrapped) == [
        "The warranty of this device lasts for a period of four years from the purchase."
    ]
    assert split_sentences("apples\npears") == ["apples", "pears"]


def test_claims_leave_out_questions_commands_headings_and_lead_ins() -> None:
    text = (
        "# Warranty\nThe terms are:\n- It lasts two years [1].\n- Water is excluded.\n"
        "Is that all? Please click here. See below.\nPlease pay 30 dollars at the desk."
    )
    assert extract_claims(text) == [
        "It lasts two years.",
        "Water is excluded.",
        "Please pay 30 dollars at the desk.",
    ]


@pytest.mark.parametrize("text", ["请联系我们。", "고객 센터에 문의하세요.", "お問い合わせください。", "Contact us?"])
def test_bare_commands_and_questions_of_other_languages_are_no_claims(text: str) -> None:
    assert extract_claims(text) == []


def test_statements_keep_questions_and_commands() -> None:
    assert extract_statements("Is it red? Please click here. It is red.") == [
        "Is it red?",
        "Please click here.",
        "It is red.",
    ]


def test_one_word_is_one_statement_and_one_claim() -> None:
    assert extract_statements("Paris") == ["Paris"]
    assert extract_claims("Paris") == ["Paris"]


def test_code_is_no_statement_unless_there_is_nothing_else() -> None:
    assert extract_statements("It prints.\n```python\nprint(1)\n```") == ["It prints."]
    assert extract_statements("```python\nprint(1)\n```") == ["print(1)"]
    assert extract_statements("# Only a title") == ["Only a title"]


@pytest.mark.parametrize("text", ["", "   ", "...", "---\n***\n", "。。。"])
def test_text_without_words_has_no_statements(text: str) -> None:
    assert extract_statements(text) == []
    assert extract_claims(text) == []


def test_items_are_bounded() -> None:
    assert len(extract_claims("It is so.\n" * 3 * MOST_ITEMS)) == MOST_ITEMS


@given(st.text(alphabet=st.sampled_from("ab A1.!?;\n\"'”。」と[]()-*#>`|5:"), max_size=200))
def test_splitting_loses_no_letter_and_adds_none(text: str) -> None:
    kept = [character for sentence in split_sentences(text) for character in sentence if character.isalpha()]
    # List marks such as "a)" may hold a letter; links and fences are cut elsewhere.
    assert len(kept) <= sum(character.isalpha() for character in text)
    if not any(mark in text for mark in ")`~"):
        assert kept == [character for character in text if character.isalpha()]


@given(st.text(max_size=300))
def test_any_text_can_be_split(text: str) -> None:
    for sentence in split_sentences(text):
        assert sentence.strip()
    assert len(extract_claims(text)) <= len(text) + 1
