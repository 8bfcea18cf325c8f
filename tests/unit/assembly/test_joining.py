from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanjudge.assembly.joining import joined
from spanjudge.model import Document

TWO = [(("x", "1"), ("x", "1"), True), (("x", "1"), ("x", "2"), False), (("x", "1"), ("y", "1"), False)]
TWO += [(("x", None), ("x", "1"), True), (("x", "1"), ("x", None), True), (("x", None), ("y", None), False)]
TWO += [((None, "1"), ("x", "1"), True), (("x", "1"), (None, "1"), True), ((None, "1"), (None, "2"), False)]


@pytest.mark.parametrize(("one", "two", "same"), TWO)
def test_documents_are_the_same_by_id_or_by_text_without_id(
    one: tuple[str | None, str | None],
    two: tuple[str | None, str | None],
    same: bool,  # noqa: FBT001
) -> None:
    first, second = Document(one[0], one[1]), Document(two[0], two[1])
    assert joined([(first,), (second,)]) == ((first,) if same else (first, second))


documents = st.lists(
    st.builds(Document, st.sampled_from(["x", "y", None]), st.sampled_from(["1", "2", None])), max_size=4
)


@given(documents)
def test_one_list_alone_stays_as_it_is(only: list[Document]) -> None:
    assert joined([tuple(only)]) == tuple(only)


@given(st.lists(documents, max_size=4))
def test_joining_again_adds_nothing(lists: list[list[Document]]) -> None:
    whole = joined(map(tuple, lists))
    known = [each for each in whole if each.id is not None or each.text is not None]
    assert [each for each in joined([whole, *map(tuple, lists)]) if each in known] == known
