"""DSPy: a module that searches and then predicts."""

import dspy
from openinference.instrumentation.dspy import DSPyInstrumentor
from stage import QUESTION, Stage, search

from spanjudge import JudgeSpanProcessor

stage = Stage()
stage.provider.add_span_processor(JudgeSpanProcessor(**stage.settings))
DSPyInstrumentor().instrument()


class Support(dspy.Module):
    """Answers from the handbook."""

    def __init__(self) -> None:
        super().__init__()
        self.answer = dspy.ChainOfThought("context: list[str], question: str -> answer: str")

    def forward(self, question: str) -> dspy.Prediction:
        return self.answer(context=[each.text for each in search(question)], question=question)


dspy.configure(lm=dspy.LM(f"openai/{stage.model}", api_base=stage.url, api_key="none", cache=False))
stage.tell(Support()(question=QUESTION).answer)
