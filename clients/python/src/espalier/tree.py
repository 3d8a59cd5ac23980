"""A search tree, to walk through, to draw and to count."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from . import models
from ._optional import need
from ._tree_page import tree_page
from .frames import node_rows, nodes_frame, polars_frame, text_of

if TYPE_CHECKING:
    import networkx
    import pandas
    import polars


class Tree:
    """Flat nodes, each with the position of its parent. ``data`` is the tree as the service keeps it."""

    def __init__(self, data: models.Tree):
        self.data = data
        self.children: list[list[int]] = [[] for _ in data.nodes]
        """Of each node, the positions of its children in the order in which they were made."""
        for index, node in enumerate(data.nodes):
            if node.parent is not None:
                self.children[node.parent].append(index)

    @property
    def nodes(self) -> list[models.TreeNode]:
        return self.data.nodes

    @property
    def best(self) -> int:
        """The node whose path is the answer; 0 when nothing was found."""
        return self.data.best

    def __len__(self) -> int:
        return len(self.data.nodes)

    def path_to(self, node: int | None = None) -> list[int]:
        """Positions from the root to a node, by default to the answer."""
        path: list[int] = []
        at: int | None = self.best if node is None else node
        while at is not None:
            path.append(at)
            at = self.nodes[at].parent
        return path[::-1]

    def actions_to(self, node: int | None = None) -> list[str]:
        """What was done on the way from the root to a node, by default to the answer."""
        return [self.nodes[index].action or "" for index in self.path_to(node)[1:]]

    def observation(self, node: int) -> str:
        """What the agent saw there, as text."""
        return text_of(self.nodes[node].observation)

    def to_networkx(self) -> networkx.DiGraph:
        """Nodes are positions with the fields of the tree's nodes as attributes; edges go from parents to children."""
        networkx = need("networkx", "trees")
        graph = networkx.DiGraph(
            environment=self.data.environment, task=self.data.task, method=self.data.method, best=self.best
        )
        for index, node in enumerate(self.nodes):
            graph.add_node(
                index, **{**node.model_dump(exclude={"observation"}), "observation": self.observation(index)}
            )
            if node.parent is not None:
                graph.add_edge(node.parent, index, action=node.action)
        return graph

    def to_df(self) -> pandas.DataFrame:
        return nodes_frame(self.data)

    def to_pandas(self) -> pandas.DataFrame:
        return self.to_df()

    def to_polars(self) -> polars.DataFrame:
        """The columns of :meth:`to_df`, with ``node`` as the first."""
        rows = [{"node": index, **row} for index, row in enumerate(node_rows(self.data))]
        return polars_frame(rows, rows[0])

    def render(self, depth: int = 4) -> str:
        """The tree as text, to a depth; ● leads to the answer."""
        return "\n".join(self._lines(depth))

    def _lines(self, depth: int) -> Iterator[str]:
        answer = set(self.path_to())
        stack = [(0, "", "")]
        while stack:
            index, before, branch = stack.pop()
            node = self.nodes[index]
            mark = "● " if index in answer else ""
            name = self.data.task if node.action is None else _shorten(node.action)
            yield f"{before}{branch}{mark}#{index} {name}   visits {node.visits}, value {node.value:.2f}, reward {node.reward:g}"
            below = before if branch == "" else before + ("   " if branch == "└─ " else "│  ")
            children = self.children[index]
            if node.depth >= depth:
                if children:
                    yield f"{below}└─ … {len(children)} below"
                continue
            last = len(children) - 1
            for position in range(last, -1, -1):
                stack.append((children[position], below, "└─ " if position == last else "├─ "))

    def __repr__(self) -> str:
        return f"<Tree {self.data.task}: {len(self)} nodes, answer #{self.best}>"

    def _repr_html_(self) -> str:
        return tree_page(self)


def _shorten(text: str, longest: int = 80) -> str:
    line = " ".join(text.split())
    return line if len(line) <= longest else line[: longest - 1] + "…"


def tree_of(value: Any) -> Tree:
    """A tree from ``tree.json``: a mapping that was parsed from it."""
    return Tree(models.Tree.model_validate(value))
