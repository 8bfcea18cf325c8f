"""The fitted numbers of the embedded judge: logistic models over what the evidence shows.

Printed by ``benchmarks/fit_embedded.py``; the data are named in ``docs/embedded-judge.md``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Model:
    """A logistic model: the weight of each feature, and the bias. Both classes weigh the same: .5 is the even point."""

    weights: tuple[tuple[str, float], ...]
    bias: float

    def support(self, features: Mapping[str, float]) -> float:
        """Probability of yes, in 0..1, were yes and no equally frequent."""
        margin = self.bias + sum(weight * features[name] for name, weight in self.weights)
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, margin))))


# English and other languages with words; fitted on AttributionBench (dev) and WiCE (dev).
ATTRIBUTION_WORDS: Final = Model(
    (("window", 1.0), ("closeness", 2.5), ("bigram", 1.0), ("names", -1.5), ("rarest", -0.5), ("numbers", -1.0)), -0.7
)
# Korean, Chinese, Japanese; fitted on KLUE-NLI (dev) and OCNLI (dev).
ATTRIBUTION_PAIRS: Final = Model((("window", 2.0), ("numbers", -1.5)), -1.0)
# With an expected answer; fitted on WiCE (dev) and RGB (en_fact).
USEFULNESS_WORDS: Final = Model((("fresh", 3.0), ("bigram", 2.0), ("names", -2.0)), -1.5)
# The same; fitted on RGB (zh_refine).
USEFULNESS_PAIRS: Final = Model((("fresh", 6.0),), -3.0)
# With a question alone; fitted on TREC-QA (dev).
USEFULNESS_QUESTION: Final = Model((("window", 2.5), ("names", -2.0), ("kind", 0.5)), -1.0)
# Statements against a question; fitted on question and answer sentences of LFQA-Verification.
RELEVANCY: Final = Model((("recall", 3.0), ("mass", 2.0)), -1.2)

EVEN: Final = 0.5
# Below this a statement is irrelevant, from here to .5 unsure. No labelled data say where "unsure" begins.
UNSURE: Final = 0.35
