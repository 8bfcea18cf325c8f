"""The dashboards in the names that a way to Prometheus gives to metrics and labels."""

from __future__ import annotations

import json
import re
from importlib import resources
from typing import TYPE_CHECKING, Any, Final

from spanjudge.promql import label, legend, translate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from spanjudge.promql import Translation

NAMES: Final = ("quality", "pipeline")
_VALUES: Final = re.compile(r'^label_values\((.*), "([\w.]+)"\)$')


def dashboards(translation: Translation) -> Mapping[str, str]:
    """Return the text of each dashboard, by file name.

    Args:
        translation: What the way to Prometheus does to names.

    >>> sorted(dashboards("NoTranslation"))
    ['pipeline.json', 'quality.json']
    """
    return {f"{name}.json": _rendered(name, translation) for name in NAMES}


def _rendered(name: str, translation: Translation) -> str:
    text = resources.files("spanjudge.dashboards").joinpath(f"{name}.json").read_text(encoding="utf-8")
    board: dict[str, Any] = json.loads(text)
    for panel in board["panels"]:
        for target in panel.get("targets", ()):
            if "expr" in target:
                target["expr"] = translate(target["expr"], translation)
            if "legendFormat" in target:
                target["legendFormat"] = legend(target["legendFormat"], translation)
    for variable in board["templating"]["list"]:
        variable["query"] = _values(variable["query"], translation)
    return json.dumps(board, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def _values(query: str, translation: Translation) -> str:
    found = _VALUES.match(query)
    if found is None:
        return query
    return f"label_values({translate(found[1], translation)}, {label(found[2], translation)})"
