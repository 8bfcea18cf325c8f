import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from judged import RECALL, failed, run_number, scored, series, skipped, verdicts
from spanjudge.detect.regression import RegressionDetector
from spanjudge.model import Document
from spanjudge.report.page import Moment, render, write
from spanjudge.report.runs import judged_runs
from spanjudge.report.trail import follow

ATTACK = "</title><script>alert(1)</script><img src=https://example.com/x onerror=alert(2)>"
VOID = {"meta", "link", "img", "br", "hr", "input"}


class Elements(HTMLParser):
    """Collects elements, and checks that each is closed in its turn."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self._open: list[str] = []
        self.feed(page)
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def full_page() -> str:
    evaluations = [
        *series([0.9] * 40 + [0.1] * 20),
        scored(run_number(59), 0.0, "faithfulness", verdicts=verdicts("no", "unsure")),
        failed(run_number(3), "faithfulness"),
    ]
    trail = follow(RECALL, judged_runs(evaluations), RegressionDetector(baseline_n=30))
    return render(
        evaluations,
        title="A title",
        facts=[("judge", "fake")],
        moment=Moment(40, "release 2"),
        trail=trail,
        notes=["Read it so."],
    )


def test_page_is_well_formed_and_tells_the_story() -> None:
    text = Elements(full_page()).text
    for words in (
        "A title",
        "60 runs",
        "judge fake",
        "before 0.",
        "Alarm at run",
        "“release 2”",
        "Read it so.",
        "Scores over time",
        "Distribution",
        "Worst runs",
        "question 59",
        "1 judge_timeout",
        "claim 0",
    ):
        assert words in text


def test_page_needs_nothing_from_elsewhere_and_runs_nothing() -> None:
    page = full_page()
    elements = Elements(page)
    assert not {tag for tag, _ in elements.tags} & {"script", "iframe", "object", "embed", "img", "form", "base"}
    links = [
        value
        for _, attributes in elements.tags
        for name, value in attributes.items()
        if name in {"src", "href", "action", "data", "srcset"}
    ]
    assert links == ["data:,"]
    assert not re.search(r"url\(|@import|https?:", page)
    policy = [attributes["content"] for _, attributes in elements.tags if "http-equiv" in attributes]
    assert policy == ["default-src 'none'; style-src 'unsafe-inline'; img-src data:"]


def test_hostile_texts_are_shown_as_texts() -> None:
    run = run_number(0, query=ATTACK, answer=ATTACK, ground_truth=ATTACK, contexts=(Document(text=ATTACK, id=ATTACK),))
    hostile = verdicts("no")[0]
    evaluation = scored(run, 0.0, reason=ATTACK, verdicts=(type(hostile)(item=ATTACK, verdict="no", reason=ATTACK),))
    page = render([evaluation], title=ATTACK, facts=[(ATTACK, ATTACK)], moment=Moment(0, ATTACK), notes=[ATTACK])
    elements = Elements(page)
    assert not {tag for tag, _ in elements.tags} & {"script", "img"}
    assert not [attributes for _, attributes in elements.tags if "onerror" in attributes]
    assert elements.text.count("<script>alert(1)</script>") >= 8


def test_hostile_scorer_name_cannot_leave_its_attribute() -> None:
    page = render([scored(run_number(0), 0.5, '"><script>x</script>')], title="t")
    assert not {tag for tag, _ in Elements(page).tags} & {"script"}


def test_huge_texts_are_cut_and_say_so() -> None:
    big = "word " * 20_000
    run = run_number(0, query=big, answer=big, ground_truth=big, contexts=(Document(text=big),) * 50)
    page = render([scored(run, 0.2, reason=big)], title="t")
    assert len(page) < 150_000
    assert page.count("[… 98,000 more characters]") >= 5
    assert "30 more contexts are not shown." in page


def test_nothing_judged_is_said_in_words() -> None:
    text = Elements(render([], title="t")).text
    assert "0 runs" in text
    assert "There are no evaluations to show" in text


def test_only_failures_make_a_page_without_a_mean() -> None:
    text = Elements(render([failed(run_number(0)), skipped(run_number(1))], title="t")).text
    assert "–" in text
    assert "0 scored, 1 judge_timeout, 1 no_ground_truth" in text


def test_no_alarm_is_said_too() -> None:
    evaluations = series([0.9] * 60)
    trail = follow(RECALL, judged_runs(evaluations), RegressionDetector(baseline_n=30))
    text = Elements(render(evaluations, title="t", trail=trail)).text
    assert "No alarm." in text
    assert "Alarm at run" not in text


def test_promise_of_one_in_n_is_made_for_the_e_process_alone() -> None:
    evaluations = series([0.9] * 40 + [0.1] * 20)
    runs = judged_runs(evaluations)
    texts = {
        kind: Elements(
            render(evaluations, title="t", trail=follow(RECALL, runs, RegressionDetector(baseline_n=30, kind=kind)))
        ).text
        for kind in ("e_process", "e_detector")
    }
    assert "in at most 1 of" in texts["e_process"]
    assert "in at most 1 of" not in texts["e_detector"]


def test_moment_outside_the_runs_is_left_out() -> None:
    page = render(series([0.9] * 5), title="t", moment=Moment(5, "release 2"))
    assert "release 2" not in page


@pytest.mark.parametrize("count", [1, 2, 3])
def test_few_runs_make_a_page(count: int) -> None:
    assert f"{count} runs" in Elements(render(series([0.5] * count), title="t", moment=Moment(1, "m"))).text


def test_page_is_written_as_utf_8(tmp_path: Path) -> None:
    write("<p>naïve \udc80</p>", tmp_path / "page.html")
    assert (tmp_path / "page.html").read_bytes() == "<p>naïve ?</p>".encode()
