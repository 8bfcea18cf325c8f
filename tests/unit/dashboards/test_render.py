from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from spanjudge.dashboards.render import NAMES, dashboards
from spanjudge.promql import TRANSLATIONS, UTF8, Translation

ROOT = Path(__file__).parents[3]
PANELS = [
    (name, panel)
    for name, text in dashboards("UnderscoreEscapingWithSuffixes").items()
    for panel in json.loads(text)["panels"]
    if panel["type"] != "row"
]


def test_dashboards_beside_the_compose_file_are_those_of_a_collector() -> None:
    for name, text in dashboards("UnderscoreEscapingWithSuffixes").items():
        assert (ROOT / "collector-config" / "dashboards" / name).read_text(encoding="utf-8") == text


@pytest.mark.skipif(sys.version_info < (3, 11), reason="The dashboards' builder needs Python 3.11.")
def test_dashboards_kept_in_the_package_are_what_their_script_makes(tmp_path: Path) -> None:
    subprocess.run([sys.executable, ROOT / "collector-config" / "make_dashboards", tmp_path], check=True)
    for name in NAMES:
        kept = resources.files("spanjudge.dashboards").joinpath(f"{name}.json").read_text(encoding="utf-8")
        assert (tmp_path / f"{name}.json").read_text(encoding="utf-8") == kept


@pytest.mark.parametrize(("name", "panel"), PANELS)
def test_every_panel_says_what_it_shows(name: str, panel: dict[str, Any]) -> None:
    defaults = panel["fieldConfig"]["defaults"]
    assert panel["title"], name
    assert panel["description"].endswith(".")
    assert defaults["unit"]
    assert defaults["min"] == 0
    assert panel["datasource"]["uid"] in {"${datasource}", "${traces}"}
    assert panel["targets"]


def test_dashboards_have_stable_ids_and_the_variables_of_their_queries() -> None:
    uids = []
    for text in dashboards("UnderscoreEscapingWithSuffixes").values():
        board = json.loads(text)
        uids.append(board["uid"])
        assert sorted(panel["id"] for panel in board["panels"]) == list(range(1, len(board["panels"]) + 1))
        known = {variable["name"] for variable in board["templating"]["list"]}
        used = set(re.findall(r"\$\{?([a-z]\w*)", json.dumps(board["panels"])))
        assert used <= known
    assert uids == ["spanjudge-rag-quality", "spanjudge-pipeline"]


@pytest.mark.parametrize("translation", TRANSLATIONS)
def test_no_name_of_another_translation_is_left(translation: Translation) -> None:
    for text in dashboards(translation).values():
        board = json.loads(text)
        queries = [
            target["expr"] for panel in board["panels"] for target in panel.get("targets", ()) if "expr" in target
        ]
        queries += [str(variable["query"]) for variable in board["templating"]["list"]]
        legends = [target.get("legendFormat", "") for panel in board["panels"] for target in panel.get("targets", ())]
        assert bool(re.search(r"(?:gen_ai|spanjudge|service)\.\w", " ".join(queries))) == (translation in UTF8)
        assert bool(re.search(r"\{\{[\w]+\.", " ".join(legends))) == (translation in UTF8)
