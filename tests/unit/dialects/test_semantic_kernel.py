from __future__ import annotations

from spanjudge.dialects import semantic_kernel
from spanjudge.sources.record import LogPart
from unit.dialects.one_span import ANSWER, QUERY, contents, one, text


def test_messages_are_json_in_bodies_of_log_records() -> None:
    logs = (
        LogPart("gen_ai.system.message", text({"role": "system", "content": "Use tools"})),
        LogPart("gen_ai.user.message", text({"role": "user", "content": QUERY})),
        LogPart("gen_ai.choice", text({"message": {"role": "assistant", "content": ANSWER}, "finish_reason": "stop"})),
        LogPart("some.other.event", text({"role": "user", "content": "no"})),
    )
    facts = semantic_kernel.read(one(logs=logs))
    assert contents(facts.input_messages) == [("system", "Use tools"), ("user", QUERY)]
    assert contents(facts.output_messages) == [("assistant", ANSWER)]


def test_loop_of_invocations_is_a_step_and_scopes_tell_the_rest() -> None:
    loop = one({"sk.available_functions": "KB-search"})
    assert semantic_kernel.kind(loop) == "chain"
    assert semantic_kernel.speaks(loop)
    assert semantic_kernel.speaks(one(scope="semantic_kernel.functions.kernel_function"))
    assert semantic_kernel.kind(one(scope="semantic_kernel.functions.kernel_function")) is None
    assert not semantic_kernel.speaks(one())
