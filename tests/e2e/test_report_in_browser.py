"""The report as a browser shows it: wide and narrow, light and dark, with hostile content in it."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest

from judged import RECALL, failed, run_number, scored, series, verdicts
from spanjudge.detect.regression import RegressionDetector
from spanjudge.model import Document
from spanjudge.report.page import Moment, render, write
from spanjudge.report.runs import judged_runs
from spanjudge.report.trail import follow

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from e2e.chromium import Chromium

LOOKS = [(width, scheme) for width in (360, 1200) for scheme in ("light", "dark")]

# Contrast of each text with what it stands on (WCAG 2.2, relative luminance), smallest first.
CONTRAST = """
(() => {
  const parse = text => { const n = text.match(/[\\d.]+/g).map(Number); return n.length > 3 ? n : [...n, 1]; };
  const light = ([r, g, b]) => [r, g, b].map(v => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
  const under = node => {
    for (let at = node; at; at = at.parentElement) {
      const colour = parse(getComputedStyle(at).backgroundColor);
      if (colour[3] > 0) return colour;
    }
    return [255, 255, 255, 1];
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || ['STYLE', 'title'].includes(element.tagName)) continue;
    const style = getComputedStyle(element);
    const ink = light(parse(element instanceof SVGElement ? style.fill : style.color)), paper = light(under(element));
    found.push([(Math.max(ink, paper) + .05) / (Math.min(ink, paper) + .05), walker.currentNode.data.trim()]);
  }
  return found.sort((a, b) => a[0] - b[0]).slice(0, 3);
})()
"""
CHARTS = """
[...document.querySelectorAll('svg')].map(svg => {
  const box = svg.getBoundingClientRect();
  const texts = [...svg.querySelectorAll('text')].map(text => text.getBoundingClientRect());
  return {
    width: box.width, height: box.height, texts: texts.length, smallest: Math.min(...texts.map(text => text.height)),
    outside: texts.filter(t => t.left < box.left - 1 || t.right > box.right + 1 || t.top < box.top - 1
      || t.bottom > box.bottom + 1).length,
    marks: [...svg.querySelectorAll('circle, .bar, polyline')]
      .filter(mark => { const b = mark.getBoundingClientRect(); return b.width + b.height > 0; }).length,
  };
})
"""


class Lure(ThreadingHTTPServer):
    """Counts who falls for the hostile texts."""

    daemon_threads = True

    def __init__(self) -> None:
        self.caught: list[str] = []
        super().__init__(("127.0.0.1", 0), _Handler)


class _Handler(BaseHTTPRequestHandler):
    server: Lure

    def do_GET(self) -> None:
        self.server.caught.append(self.path)
        self.send_error(404)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def lure() -> Iterator[Lure]:
    with Lure() as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory, lure: Lure) -> str:
    port = lure.server_address[1]
    attack = (
        f"</p></details></style></svg><script>window.pwned = 1</script><img src=http://127.0.0.1:{port}/img "
        f"onerror=window.pwned=2><style>@import 'http://127.0.0.1:{port}/css';</style>{{{{ 7 * 7 }}}}"
    )
    hostile = run_number(
        70,
        query=attack,
        answer=attack * 2000,
        ground_truth=attack,
        contexts=(Document(text="unbroken" * 5000, id=attack), Document(text=attack)),
    )
    evaluations = [
        *series([0.9] * 50 + [0.1] * 20),
        *series([1.0, 0.8, 0.9] * 23, "context_precision"),
        scored(hostile, 0.0, reason=attack, verdicts=verdicts("no", "unsure", "yes")),
        failed(run_number(3), "context_precision"),
    ]
    runs = judged_runs(evaluations)
    page = render(
        evaluations,
        title=attack,
        facts=[("judge", attack)],
        moment=Moment(50, "release 2"),
        trail=follow(RECALL, runs, RegressionDetector(baseline_n=30)),
        notes=[attack],
    )
    path: Path = tmp_path_factory.mktemp("report") / "report.html"
    write(page, path)
    return path.as_uri()


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_charts_are_drawn_and_legible(browser: Chromium, address: str, width: int, scheme: str) -> None:
    browser.open(address, width=width, scheme=scheme)
    charts: list[dict[str, Any]] = browser.value(CHARTS)
    assert len(charts) == 5  # evidence, two scorers over time, two distributions
    for chart in charts:
        assert chart["width"] > 250
        assert chart["height"] > 120
        assert chart["marks"] > 0
        assert chart["texts"] >= 5
        assert chart["outside"] == 0
        assert chart["smallest"] >= 9


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_page_fits_its_width(browser: Chromium, address: str, width: int, scheme: str) -> None:
    browser.open(address, width=width, scheme=scheme)
    assert browser.value("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_stands_out_from_its_ground(browser: Chromium, address: str, scheme: str) -> None:
    browser.open(address, width=1200, scheme=scheme)
    worst = browser.value(CONTRAST)
    assert worst[0][0] >= 4.5, worst


def test_light_and_dark_differ(browser: Chromium, address: str) -> None:
    papers = []
    for scheme in ("light", "dark"):
        browser.open(address, width=1200, scheme=scheme)
        papers.append(browser.value("getComputedStyle(document.body).backgroundColor"))
    assert papers[0] != papers[1]


def test_nothing_is_loaded_nothing_runs_nothing_fails(browser: Chromium, address: str, lure: Lure) -> None:
    browser.open(address, width=1200, scheme="light")
    browser.value("document.querySelectorAll('details').forEach(each => each.open = true)")
    requests = [event["request"]["url"] for event in browser.happened("Network.requestWillBeSent")]
    assert {url.split(":")[0] for url in requests} <= {"file", "data"}
    assert lure.caught == []
    assert browser.value("typeof window.pwned") == "undefined"
    assert browser.value("document.scripts.length") == 0
    assert browser.happened("Runtime.exceptionThrown") == []
    assert [event["entry"]["text"] for event in browser.happened("Log.entryAdded")] == []


def test_hostile_texts_are_read_as_texts(browser: Chromium, address: str) -> None:
    browser.open(address, width=1200, scheme="light")
    assert "<script>window.pwned = 1</script>" in browser.value("document.querySelector('h1').textContent")
    assert "{{ 7 * 7 }}" in browser.value("document.querySelector('.question').textContent")
    assert "more characters]" in browser.value("document.querySelector('.run .text').textContent")


def test_missed_claims_stand_in_a_table_and_runs_unfold(browser: Chromium, address: str) -> None:
    browser.open(address, width=1200, scheme="light")
    rows = browser.value("[...document.querySelectorAll('tbody tr')].map(row => row.innerText)")
    assert len(rows) == 2
    assert rows[0].startswith("claim 0")
    assert "1 of 1" in rows[0]
    hidden = "document.querySelector('.run .verdict').checkVisibility()"
    assert browser.value(hidden) is False
    browser.value("document.querySelector('.run summary').click()")
    assert browser.value(hidden) is True
