"""What the programs ask about: questions, documents and answers of many kinds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Doc:
    id: str | int
    text: str
    score: float | None = None
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Profile:
    """One question with what the retriever returns for it, in rank order, and what the model answers."""

    name: str
    question: str
    search: str
    documents: tuple[Doc, ...]
    answer: str
    follow_up: str = ""
    follow_up_search: str = ""
    follow_up_answer: str = ""


def _docs(prefix: str, *texts: str, first: float = 0.93, step: float = 0.07) -> tuple[Doc, ...]:
    return tuple(
        Doc(f"{prefix}-{index}", text, round(first - step * index, 4)) for index, text in enumerate(texts, start=1)
    )


ENGLISH = Profile(
    "english",
    "How many weeks of parental leave do new employees get?",
    "parental leave weeks new employees",
    _docs(
        "hr",
        "Employees with less than one year of service receive eight weeks of paid parental leave.",
        "After one year of service the paid parental leave is sixteen weeks.",
        "Leave requests are filed with the people team at least thirty days ahead.",
    ),
    "New employees get eight weeks of paid parental leave; after one year it is sixteen.",
    "How do I ask for it?",
    "leave request procedure",
    "File the request with the people team at least thirty days ahead.",
)

KOREAN = Profile(
    "korean",
    "도서관에서 책을 몇 권까지 빌릴 수 있나요?",
    "도서 대출 권수 제한",
    _docs(
        "도서관",
        "일반 회원은 한 번에 최대 다섯 권의 책을 2주 동안 빌릴 수 있습니다.",
        "우수 회원은 최대 열 권까지 대출이 가능하며, 기간은 3주입니다.",
        "연체된 책이 있으면 새로운 대출이 제한됩니다.",
    ),
    "일반 회원은 최대 다섯 권, 우수 회원은 최대 열 권까지 빌릴 수 있습니다.",
    "연체하면 어떻게 되나요?",
    "연체 제한",
    "연체된 책이 있으면 새로 빌릴 수 없습니다.",
)

CHINESE = Profile(
    "chinese",
    "高铁票开车前多久退票不收手续费？",
    "高铁退票手续费时间",
    _docs(
        "规则",
        "开车前八天(含)以上退票的，不收取退票费。",
        "开车前四十八小时以上的，按票价百分之五计收；二十四小时以上、不足四十八小时的按百分之十计收。",
        "改签后的车票只能改签一次，\u201c变更到站\u201d须在开车前四十八小时以上办理。",
    ),
    "开车前八天以上退票不收手续费。",
    "那开车前一天呢？",
    "开车前一天退票费",
    "按票价的百分之十计收。",
)

JAPANESE = Profile(
    "japanese",
    "露天風呂は何時まで入れますか？",
    "露天風呂 営業時間",
    _docs(
        "案内",
        "露天風呂の営業時間は午前六時から午後十一時までです。最終入場は閉店の三十分前となります。",
        "「貸切風呂」は予約制で、一回四十五分、料金は三千円です。",
        "タオルは無料で貸し出しています(お部屋にもご用意がございます)。",
    ),
    "午後十一時までです。最終入場は午後十時三十分です。",
    "貸切はできますか？",
    "貸切風呂 予約",
    "はい、予約制で四十五分三千円です。",
)

ARABIC = Profile(
    "arabic",
    "متى يفتح المتحف أبوابه يوم الجمعة؟",
    "مواعيد المتحف الجمعة",
    _docs(
        "متحف",
        "يفتح المتحف يوم الجمعة من الساعة الثانية ظهرًا حتى التاسعة مساءً.",
        "في بقية أيام الأسبوع يفتح المتحف من التاسعة صباحًا (9:00) حتى الخامسة مساءً، ويُغلق يوم الإثنين.",
        "سعر التذكرة ٥٠ ريالًا، والدخول مجاني للأطفال دون ١٢ عامًا.",
    ),
    "يفتح المتحف يوم الجمعة من الثانية ظهرًا حتى التاسعة مساءً.",
    "وكم سعر التذكرة؟",
    "سعر التذكرة",
    "سعر التذكرة خمسون ريالًا.",
)

CODE = Profile(
    "code",
    'Why does `parse("{\\"a\\": [1, 2}")` fail, and what does "strict" do?',
    'parse error "strict" mode {}',
    _docs(
        "src/parse.py#L",
        'def parse(text: str) -> dict:\n    """Read \'text\'; raise on {unbalanced} braces."""\n'
        '    if text.count("{") != text.count("}"):\n        raise ValueError(f"unbalanced: {text!r}\\n")\n'
        "    return json.loads(text)\n",
        "| option | meaning |\n|---|---|\n| `strict` | reject a path such as `C:\\temp\\new` |\n| `loose` | keep it |",
        '{"error": "E17", "hint": "close the list: [1, 2]", "see": ["https://example.com/a?b=c&d=\\"e\\""]}',
        "First paragraph, with a \ttab.\n\nSecond paragraph after a blank line.\r\nThird with CRLF.",
    ),
    "The list is not closed: `[1, 2` needs a `]`.\n\n"
    '```python\nparse("{\\"a\\": [1, 2]}")\n```\n"strict" rejects paths.',
    'And "loose"?',
    '"loose" option',
    '`loose` keeps the path: "C:\\temp".',
)

MANY = Profile(
    "many",
    "Which lighthouses on the northern coast are open to visitors in October?",
    "lighthouses open October northern coast",
    tuple(
        Doc(
            f"lh-{index:02d}",
            f"Lighthouse number {index} stands at kilometre {index * 7} of the coast road and "
            + ("is open to visitors in October." if index % 3 == 0 else "closes at the end of September."),
            round(0.97 - 0.031 * index, 4),
        )
        for index in range(1, 17)
    ),
    "Lighthouses 3, 6, 9, 12 and 15 are open to visitors in October.",
    "Which of them is nearest?",
    "nearest lighthouse",
    "Number 3, at kilometre 21.",
)

EQUAL = Profile(
    "equal_texts",
    "What is the notice period for cancelling the gym contract?",
    "gym contract cancel notice",
    (
        Doc("terms-2023", "The notice period is three months to the end of the term.", 0.88),
        Doc("terms-2024", "The notice period is three months to the end of the term.", 0.88),
        Doc("faq-9", "Members who move away may cancel with one month's notice.", 0.71),
        Doc("terms-2025", "The notice period is three months to the end of the term.", 0.7),
    ),
    "The notice period is three months; one month if you move away.",
)

EMPTY = Profile(
    "empty",
    "What is the airspeed velocity of an unladen swallow?",
    "unladen swallow airspeed",
    (),
    "I could not find anything about that in the documents.",
)

SHORT = Profile(
    "short",
    "How many moons does Mars have?",
    "Mars moons count",
    (Doc("a", "Mars: 2 moons.", 0.9), Doc("b", "Phobos, Deimos.", 0.8), Doc("c", "2", 0.7)),
    "2",
    "Sure?",
    "Mars moons check",
    "Yes",
)

METADATA = Profile(
    "metadata",
    "Which cable does the projector need for 4K?",
    "projector 4K cable",
    (
        Doc(
            "manual-12",
            "For 4K at 60 Hz the projector needs a certified HDMI 2.0 cable.",
            0.91,
            {
                "id": "row-7",
                "text": "cable",
                "title": "Connections",
                "content": {"type": "paragraph", "language": "en"},
                "source": {"id": "src-1", "url": "https://example.com/manual?page=12", "documents": 3},
                "tags": ["hdmi", "4k"],
            },
        ),
        Doc(
            "manual-30",
            "With long cables above five metres use an optical HDMI cable.",
            0.77,
            {
                "id": "row-9",
                "text": "length",
                "query": "not the question",
                "results": [{"id": "x-1", "text": "An older edition said ten metres."}],
                "source": {"id": "src-1", "documents": 3},
            },
        ),
    ),
    "A certified HDMI 2.0 cable; above five metres an optical one.",
)

NUMBERS = Profile(
    "numbers",
    "What does error 4032 on the coffee machine mean?",
    "error 4032",
    (
        Doc(4032, "Error 4032: the water tank is missing or not seated.", 0.95),
        Doc(77, "Errors between 4000 and 4099 concern water.", 0.61),
        Doc(0, "Press the button for 3 s to clear an error.", 0.5),
    ),
    "The water tank is missing or not seated.",
    "How do I clear it?",
    "clear error",
    "Press the button for 3 s.",
)

JSON_TEXTS = Profile(
    "json_texts",
    'Which {"plan"} includes phone support?',
    "plan phone support",
    (
        Doc("plans.json#0", '{"id": "basic", "text": "e-mail support", "price": 0}', 0.8),
        Doc("plans.json#1", '{"id": "pro", "text": "phone support", "price": 20, "documents": []}', 0.79),
        Doc("plans.json#2", '["basic", "pro"]', 0.2),
    ),
    '{"plan": "pro"} includes phone support.',
)

GERMAN = Profile(
    "german",
    "Wie lange muss der Sauerteig über Nacht „gehen“?",
    "Sauerteig Gehzeit über Nacht",
    _docs(
        "rezept/süß & sauer",
        "Der Teig geht zwölf bis vierzehn Stunden bei 20 °C – zugedeckt, nicht im Kühlschrank. 🥖",
        "Für 500 g Mehl nimmt man 10 g Salz; „weniger ist mehr“ gilt hier nicht.",
        "Backen: 25 Minuten bei 250 °C, dann 20 Minuten bei 210 °C. Cafe\u0301 dazu ☕️.",
    ),
    "Zwölf bis vierzehn Stunden bei 20 °C – zugedeckt. 🥖",
    "Und wie heiß muss der Ofen sein?",
    "Backen Temperatur",
    "Erst 250 °C, dann 210 °C.",
)

HINDI = Profile(
    "hindi",
    "पासपोर्ट के नवीनीकरण में कितने दिन लगते हैं?",
    "पासपोर्ट नवीनीकरण समय",
    _docs(
        "नियम",
        "सामान्य नवीनीकरण में लगभग तीस दिन लगते हैं, तत्काल सेवा में सात दिन।",
        "नवीनीकरण के लिए पुराना पासपोर्ट, पहचान पत्र और पते का प्रमाण आवश्यक है।",
    ),
    "सामान्य रूप से लगभग तीस दिन, तत्काल सेवा में सात दिन।",
)

LONG = Profile(
    "long",
    "What did the inspector note about the bridge bearings?",
    "bridge inspection bearings",
    tuple(
        Doc(
            f"report/{part}",
            "\n".join(
                f"{part}.{line} The inspector examined {thing} and noted: {finding}."
                for line, (thing, finding) in enumerate(
                    (
                        ("the bearings", "two of eight bearings show corrosion and must be greased"),
                        ("the joints", "no water comes through, the rubber is hard"),
                        ("the railing", "paint is missing on twelve metres"),
                        ("the deck", "hairline cracks, none wider than 0.2 mm"),
                        ("the abutments", "sound, some moss on the north side"),
                        ("the drainage", "one outlet is blocked by leaves"),
                    )
                    * 2,
                    start=1,
                )
            ),
            round(0.9 - part / 10, 2),
        )
        for part in (1, 2, 3)
    ),
    "Two of eight bearings show corrosion and must be greased. The remaining six are sound, which the inspector "
    "confirmed by comparing them with the previous report; no bearing has moved by more than four millimetres.",
)

PROFILES = {
    profile.name: profile
    for profile in (
        ENGLISH,
        KOREAN,
        CHINESE,
        JAPANESE,
        ARABIC,
        CODE,
        MANY,
        EQUAL,
        EMPTY,
        SHORT,
        METADATA,
        NUMBERS,
        JSON_TEXTS,
        GERMAN,
        HINDI,
        LONG,
    )
}
