"""A search tree for notebooks: HTML that folds without a script and loads nothing."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .tree import Tree

MOST_NODES = 1500
"""Nodes shown; the others are counted where they were left out."""

_MOST_TEXT = 2000
_STYLE = """<style>
.espalier-tree{font:13px/1.5 sans-serif;overflow-x:auto}
.espalier-tree details,.espalier-tree .leaf{margin-left:1.2em}
.espalier-tree summary{cursor:pointer}
.espalier-tree .answer>summary,.espalier-tree .answer>b{font-weight:bold}
.espalier-tree .figures{color:gray;font-weight:normal}
.espalier-tree pre{margin:.2em 0 .4em 1.2em;white-space:pre-wrap;max-height:14em;overflow:auto}
</style>"""


def tree_page(tree: Tree) -> str:
    """The tree with the path to the answer unfolded. Each node unfolds to its observation and its children."""
    answer = set(tree.path_to())
    shown = _shown(tree, answer)
    title = f"{tree.data.task} · {tree.data.method} · {len(tree)} nodes"
    parts = [_STYLE, f'<div class="espalier-tree"><b>{escape(title)}</b>']
    stack: list[int | str] = [0]
    while stack:
        at = stack.pop()
        if isinstance(at, str):
            parts.append(at)
            continue
        node = tree.nodes[at]
        is_answer = at in answer
        name = tree.data.task if node.action is None else node.action
        figures = f"visits {node.visits}, value {node.value:.2f}, reward {node.reward:g}"
        is_open = " open" if is_answer and at != tree.best else ""
        parts.append(
            f'<details class="{"answer" if is_answer else "other"}"{is_open}><summary>{"● " if is_answer else ""}'
            f'#{at} {escape(_clip(name, 120))} <span class="figures">{figures}</span></summary>'
            f"<pre>{escape(_clip(tree.observation(at), _MOST_TEXT))}</pre>"
        )
        children = tree.children[at]
        left_out = [child for child in children if child not in shown]
        stack.append("</details>")
        if left_out:
            stack.append(f'<div class="leaf">… {len(left_out)} more children</div>')
        stack += [child for child in reversed(children) if child in shown]
    return "".join(parts) + "</div>"


def _shown(tree: Tree, answer: set[int]) -> set[int]:
    """The answer's path, and further nodes by depth, up to the limit."""
    shown = set(answer)
    level = [0]
    while level and len(shown) < MOST_NODES:
        shown.update(level[: MOST_NODES - len(shown)])
        level = [child for node in level if node in shown for child in tree.children[node]]
    return shown


def _clip(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"
