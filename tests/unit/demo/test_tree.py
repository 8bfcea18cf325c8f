from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from rich.console import Console

from spanjudge import semconv
from spanjudge.demo.tree import short, trace_tree


def drawn(reason: str = "two of two") -> str:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    tracer = provider.get_tracer("test")
    with tracer.start_as_current_span("other trace"):
        pass
    with tracer.start_as_current_span("chain", attributes={"openinference.span.kind": "CHAIN"}) as root:
        with tracer.start_as_current_span("search [bold]"):
            pass
        scores = {semconv.SCORE_VALUE: 0.5, semconv.SCORE_LABEL: "fair", semconv.EXPLANATION: reason}
        with tracer.start_as_current_span("evaluate context_recall", attributes=scores):
            pass
    console = Console(width=160, force_terminal=False)
    with console.capture() as capture:
        console.print(trace_tree(root.get_span_context().trace_id, exporter.get_finished_spans()))
    return capture.get()


def test_children_stand_under_their_parent_in_the_order_of_their_starts() -> None:
    lines = drawn().splitlines()
    assert lines[0].startswith("trace ")
    assert "chain CHAIN" in lines[1]
    assert "search [bold]" in lines[2]
    assert "evaluate context_recall" in lines[3]
    assert lines[2].index("search") == lines[3].index("evaluate") > lines[1].index("chain")


def test_evaluation_shows_score_label_and_reason() -> None:
    text = drawn()
    assert "0.50 fair" in text
    assert "two of two" in text


def test_other_traces_are_left_out() -> None:
    assert "other trace" not in drawn()


def test_long_reason_is_one_line() -> None:
    assert "…" in drawn("word " * 100)
    assert short("a " * 300, 10) == "a a a a a…"
