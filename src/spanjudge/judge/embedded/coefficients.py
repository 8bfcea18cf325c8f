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
    (
        ("window", 0.793),
        ("closeness", 2.331),
        ("bigram", 1.08),
        ("names", -2.616),
        ("rarest", -0.607),
        ("numbers", -1.015),
        ("kin", 2.114),
    ),
    -0.715,
)
# Korean, Chinese, Japanese; fitted on KLUE-NLI (dev) and OCNLI (dev).
ATTRIBUTION_PAIRS: Final = Model((("window", 1.928), ("numbers", -2.253)), -0.813)
# With an expected answer; fitted on WiCE (dev) and RGB (en_fact).
USEFULNESS_WORDS: Final = Model((("fresh", 6.006), ("names", -2.823)), -1.849)
# The same; fitted on RGB (zh_refine).
USEFULNESS_PAIRS: Final = Model((("fresh", 8.376),), -3.915)
# With a question alone; fitted on TREC-QA (dev).
USEFULNESS_QUESTION: Final = Model((("window", 2.421), ("names", -3.728)), -0.781)
# Statements against a question; fitted on question and answer sentences of LFQA-Verification.
RELEVANCY: Final = Model((("recall", 3.345), ("mass", 2.191)), -1.142)

# Statements below the first are irrelevant, from the second on relevant, between them unsure. Of the labelled ones a
# quarter, half and nine tenths are relevant there; no data are labelled "unsure".
UNSURE: Final = 0.35
RELEVANT: Final = 0.75
