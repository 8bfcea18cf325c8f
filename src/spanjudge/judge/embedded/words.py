"""Words of grammar, negation and number, by language."""

from __future__ import annotations

from typing import Final

_STOPWORDS: Final = """
a about above after again all also am an and any are as at be because been before being below between both but by can
could did do does doing down during each either few for from further had has have having he her here hers him his how i
if in into is it its itself just may me might more most must my of off on once only or other our out over own per same
shall she should so some such than that the their theirs them then there these they this those through to too under
until up upon us very via was we were what when where which while who whom whose why will with within would you your
yours s t d ll ve re m
"""
_NEGATORS: Final = "not no never none neither nor nobody nothing without cannot hardly rarely"
# Words that only look like plurals.
_WHOLE: Final = "news lens"
_UNITS: Final = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
nineteen
"""
_TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety"
# Grammar in Korean, Chinese and Japanese: pairs of characters that stand in any text and tell nothing.
_EMPTY_PAIRS: Final = """
습니 니다 입니 합니 됩니 에서 으로 하는 하고 했다 한다 이다 있다 있는 있습 했습 에게 까지 부터
です ます した して いる ある れる から まで には では この その という こと もの れて った
的是 了一 是一 这个 一个 我们 他们 可以 因为 所以
"""

STOPWORDS: Final = frozenset(_STOPWORDS.split())
NEGATORS: Final = frozenset(_NEGATORS.split())
WHOLE: Final = frozenset(_WHOLE.split())
TENS: Final = frozenset(_TENS.split())
EMPTY_PAIRS: Final = frozenset(_EMPTY_PAIRS.split())
NUMBER_WORDS: Final = {word: number for number, word in enumerate(_UNITS.split())} | {
    word: 20 + 10 * tens for tens, word in enumerate(_TENS.split())
}
