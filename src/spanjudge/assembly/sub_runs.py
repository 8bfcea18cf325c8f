"""Agents inside a run, each as a run of its own: for those who want them judged one by one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spanjudge.assembly.tree import Node
    from spanjudge.assembly.view import RunView


def agents_inside(run: RunView) -> list[RunView]:
    """Find the agents of a run that are not the run itself.

    An agent counts where another agent stands above it, or where several stand side by side under the root.
    """
    agents = [node for node in run.of_kind("agent") if node is not run.root]
    outermost = run.outermost(agents)
    alone = len(outermost) == 1 and run.root.kind != "agent"
    return [_view(run, node) for node in agents if not (alone and node is outermost[0])]


def _view(run: RunView, agent: Node) -> RunView:
    members = tuple(node for node in run.members if node is agent or agent in node.above())
    return replace(run, members=members, tops=(agent,), root=agent, around=())
