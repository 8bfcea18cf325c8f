"""From the spans of one run to the run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spanjudge.assembly.agent_shape import input_of, output_of
from spanjudge.assembly.contexts import contexts_of
from spanjudge.assembly.honesty import PIECES, Piece, Pieces, codes_of
from spanjudge.assembly.question import answer_of, question_of
from spanjudge.assembly.recorded import recorded_answer, recorded_contexts, recorded_question
from spanjudge.assembly.sub_runs import agents_inside
from spanjudge.model import RagRun, TargetSpan

if TYPE_CHECKING:
    from collections.abc import Callable

    from spanjudge.assembly.tree import Node
    from spanjudge.assembly.view import RunView


def runs_of(view: RunView) -> list[RagRun]:
    """Put a run together, and the runs of the agents inside it where the user wants them."""
    whole = run_of(view)
    if not view.reading.sub_runs:
        return [whole]
    inner = [run_of(each) for each in agents_inside(view)]
    return [whole, *(run for run in inner if (run.query, run.answer) != (whole.query, whole.answer))]


def run_of(view: RunView) -> RagRun:
    """Put question, contexts and answer together, and say what is missing."""
    told = recorded_contexts(view), recorded_question(view), recorded_answer(view)
    contexts = told[0] or contexts_of(view)
    query, asker = (told[1], None) if told[1] else question_of(view, contexts.documents)
    answer, answerer = (told[2], None) if told[2] else answer_of(view, contexts.documents)
    by_hand: frozenset[Piece] = frozenset(name for name, piece in zip(PIECES, told, strict=True) if piece is not None)
    pieces = Pieces(query, answer, contexts, tuple(node for node in (asker, answerer) if node), by_hand)
    skip_reason, warnings = codes_of(view, pieces)
    span = view.root.span
    outer_first = [view.root, *(node for node in view.members if node is not view.root)]
    models_last_first = list(reversed(view.models))
    return RagRun(
        query=query,
        # Documents with gaps among them are no ranking.
        contexts=None if any(node.facts.gaps for node in contexts.nodes) else contexts.documents,
        answer=answer,
        ground_truth=_first([*outer_first, *view.around], lambda node: node.facts.ground_truth),
        target=TargetSpan(
            trace_id=span.trace_id,
            span_id=span.span_id,
            name=span.name,
            sampled=span.sampled,
            trace_state=span.trace_state,
        ),
        session_id=_first(outer_first, lambda node: node.facts.session)
        or _first(outer_first, lambda node: node.facts.session_hint),
        user_id=_first(outer_first, lambda node: node.facts.user),
        model=_first(
            ([view.speaker] if view.speaker else []) + models_last_first + outer_first, lambda node: node.facts.model
        ),
        agent=_first(outer_first, lambda node: node.facts.agent),
        data_source=_first(view.members, lambda node: node.facts.data_source),
        response_id=_first([view.speaker] if view.speaker else models_last_first, lambda node: node.facts.response_id),
        dialects=tuple(sorted({name for node in view.members for name in node.facts.dialects})),
        skip_reason=skip_reason,
        warnings=warnings,
        started_ns=min(node.span.start_ns for node in view.tops),
        ended_ns=max(node.span.end_ns for node in view.tops),
        input=input_of(view, query),
        output=output_of(view, answer, contexts.documents),
        attributes=_kept(view),
    )


def _kept(view: RunView) -> dict[str, str]:
    """The attributes that the user has named: of the target, else of the nearest span around it, else the resource."""
    span = view.root.span
    places = [span.attributes, *(node.span.attributes for node in view.root.above()), span.resource]
    found = {
        name: next((place[name] for place in places if name in place), None)
        for name in sorted(view.reading.keep_attributes)
    }
    return {name: str(value) for name, value in found.items() if isinstance(value, str | bool | int | float)}


def _first(nodes: list[Node] | tuple[Node, ...], tell: Callable[[Node], str | None]) -> str | None:
    return next((found for node in nodes if (found := tell(node))), None)
