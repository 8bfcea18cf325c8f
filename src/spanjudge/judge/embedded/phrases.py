"""The words of reasons, in English, Korean, Chinese and Japanese."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from spanjudge.judge.embedded.language import Language

# Balanced accuracy on labelled English claims, cross-validated: benchmarks/judge_agreement.py prints it.
ENGLISH_BALANCED_ACCURACY: Final = 0.72


@dataclass(frozen=True, slots=True)
class Phrases:
    """Templates of one language. ``n`` is the number of a context, 0-based, as judges are shown it."""

    found: str
    missing: str
    nothing: str
    number: str
    name: str
    denied: str
    useful: str
    useless: str
    topical: str
    offtopic: str
    shares: str
    unrelated: str
    short: str
    no_answer: str
    asks_back: str
    empty: str
    cut: str
    result: str
    yes: str
    unsure: str
    no: str
    more: str
    about: str
    quote: str
    comma: str
    semicolon: str
    stop: str


_ENGLISH: Final = Phrases(
    found="found in [{n}]: {words}",
    missing="missing: {words}",
    nothing="none of its words stand in the contexts",
    number="[{n}] has {theirs} where it has {mine}",
    name="[{n}] names {theirs} where it names {mine}",
    denied="[{n}] says the same, but one of the two denies it",
    useful="[{n}] holds of the expected answer: {words}",
    useless="[{n}] holds nothing of the expected answer",
    topical="[{n}] holds of the question: {words}",
    offtopic="[{n}] shares no word with the question",
    shares="speaks of what is asked: {words}",
    unrelated="shares no word with the question",
    short="a short answer of the kind asked for",
    no_answer="an error message, apology or refusal, no answer",
    asks_back="a question in return, no answer",
    empty="holds no words",
    cut="of [{n}] only the first {count} characters were read",
    result="Result {result}: {yes} yes, {unsure} unsure, {no} no",
    yes="Yes",
    unsure="Unsure",
    no="No",
    more="and {count} more",
    about=(
        "Judged by the embedded lexical judge: it compares words, numbers and names and does not understand meaning"
        " (balanced accuracy {accuracy} on labelled English claims, where guessing gives 0.5)."
    ),
    quote="'{}'",
    comma=", ",
    semicolon="; ",
    stop=". ",
)
_KOREAN: Final = Phrases(
    found="[{n}]에서 찾음: {words}",
    missing="찾지 못함: {words}",
    nothing="컨텍스트에 이 항목의 낱말이 하나도 없음",
    number="[{n}]에는 {mine} 대신 {theirs}",
    name="[{n}]에는 {mine} 대신 {theirs}",
    denied="[{n}]와 내용은 같으나 한쪽이 부정함",
    useful="[{n}] 기대 답변 가운데 담고 있는 것: {words}",
    useless="[{n}] 기대 답변의 내용이 없음",
    topical="[{n}] 질문 가운데 담고 있는 것: {words}",
    offtopic="[{n}] 질문과 겹치는 낱말이 없음",
    shares="질문과 겹치는 말: {words}",
    unrelated="질문과 겹치는 낱말이 없음",
    short="질문이 요구하는 종류의 짧은 답",
    no_answer="오류 메시지나 사과, 거절일 뿐 답이 아님",
    asks_back="되묻는 질문이며 답이 아님",
    empty="낱말이 없음",
    cut="[{n}]는 앞의 {count}자만 읽음",
    result="결과 {result}: 예 {yes}, 불확실 {unsure}, 아니요 {no}",
    yes="예",
    unsure="불확실",
    no="아니요",
    more="그 밖에 {count}개",
    about=(
        "내장 어휘 판정기의 판정입니다. 낱말, 숫자, 이름만 비교하며 뜻은 이해하지 못합니다"
        "(영어 주장에서 측정한 균형 정확도 {accuracy}, 무작위는 0.5이며 한국어에서는 더 낮음)."
    ),
    quote="'{}'",
    comma=", ",
    semicolon="; ",
    stop=". ",
)
_CHINESE: Final = Phrases(
    found="在 [{n}] 中找到：{words}",
    missing="未找到：{words}",
    nothing="上下文中没有该项的任何词语",
    number="[{n}] 中是{theirs}，而不是{mine}",
    name="[{n}] 中是{theirs}，而不是{mine}",
    denied="与 [{n}] 说的是同一件事，但其中一方是否定的",
    useful="[{n}] 包含预期答案中的：{words}",
    useless="[{n}] 不包含预期答案的内容",
    topical="[{n}] 包含问题中的：{words}",
    offtopic="[{n}] 与问题没有相同的词语",
    shares="与问题相同的词语：{words}",
    unrelated="与问题没有相同的词语",
    short="符合问题所问类型的简短回答",
    no_answer="是错误信息、道歉或拒绝，不是回答",
    asks_back="是反问，不是回答",
    empty="没有词语",
    cut="[{n}] 只读取了前 {count} 个字符",
    result="结果 {result}：是 {yes}，不确定 {unsure}，否 {no}",
    yes="是",
    unsure="不确定",
    no="否",
    more="另有 {count} 项",
    about=(
        "由内置词汇评判器判定：它只比较词语、数字和名称，不理解含义"
        "（在有标注的英文论断上测得平衡准确率 {accuracy}，随机猜测为 0.5，中文上更低）。"
    ),
    quote="“{}”",
    comma="、",
    semicolon="；",
    stop="。",
)
_JAPANESE: Final = Phrases(
    found="[{n}] にあり：{words}",
    missing="見つからず：{words}",
    nothing="この項目の語はコンテキストに一つもない",
    number="[{n}] では{mine}ではなく{theirs}",
    name="[{n}] では{mine}ではなく{theirs}",
    denied="[{n}] と同じ内容だが、一方が否定している",
    useful="[{n}] 期待される回答のうち含むもの：{words}",
    useless="[{n}] 期待される回答の内容を含まない",
    topical="[{n}] 質問のうち含むもの：{words}",
    offtopic="[{n}] 質問と重なる語がない",
    shares="質問と重なる語：{words}",
    unrelated="質問と重なる語がない",
    short="質問が求める種類の短い回答",
    no_answer="エラー、謝罪または拒否であり、回答ではない",
    asks_back="問い返しであり、回答ではない",
    empty="語がない",
    cut="[{n}] は先頭の {count} 文字だけを読んだ",
    result="結果 {result}：はい {yes}、不明 {unsure}、いいえ {no}",
    yes="はい",
    unsure="不明",
    no="いいえ",
    more="ほか {count} 件",
    about=(
        "内蔵の語彙判定器による判定です。語、数、名前を比べるだけで、意味は理解しません"
        "（英語のラベル付き主張での均衡正解率 {accuracy}、当て推量は 0.5、日本語では未測定）。"
    ),
    quote="「{}」",
    comma="、",
    semicolon="；",
    stop="。",
)
PHRASES: Final[Mapping[Language, Phrases]] = {"en": _ENGLISH, "ko": _KOREAN, "zh": _CHINESE, "ja": _JAPANESE}
