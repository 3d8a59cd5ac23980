"""The text of the terminal that has the focus."""

from __future__ import annotations

from accessibility_tree import read_tree
from accessibility_xml import STATE
from accessible_facts import TreeBounds

TERMINALS = ("gnome-terminal-server", "xfce4-terminal")

TEXT = 1_000_000
"""So many last characters."""


def read_terminal() -> str | None:
    """None: no window of a terminal is active, or none of its tabs has the focus."""
    root = read_tree(TreeBounds(text=TEXT), showing_only=True).root
    for application in root.findall("application"):
        if application.get("name") not in TERMINALS:
            continue
        for window in application.findall("frame"):
            if window.get(STATE + "active") != "true":
                continue
            focused = [found for found in window.iter("terminal") if found.get(STATE + "focused") == "true"]
            if len(focused) == 1:
                return (focused[0].text or "").rstrip()
    return None
