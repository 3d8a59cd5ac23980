"""ReAct: one path, one action at a time."""

from espalier.methods import Scope, method


@method(
    "react-in-python",
    branches=False,
    source="Yao et al. 2023, ReAct (arXiv 2210.03629).",
    extendable=["max_steps"],
)
def react(scope: Scope, max_steps: int | None = None) -> None:
    """Thinks, acts and observes in turn until the task ends."""
    node = scope.root
    while not node.done and node.depth < (max_steps or scope.default_max_steps):
        (proposal,) = scope.propose(node)
        node = scope.step(node, proposal)
