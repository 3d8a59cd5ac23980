"""What one accessible says of itself, put on its element in the shape of OSWorld's trees, within bounds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from accessibility_bus import AccessibilityBus, Reference
from accessibility_xml import ACTION, COMPONENT, VALUE, VALUE_NAMES, Element, xml_name, xml_text
from gi.repository import GLib

INTERFACE = "org.a11y.atspi."
SCREEN = GLib.Variant("(u)", (0,))
_ACTION = INTERFACE + "Action"


@dataclass(frozen=True)
class TreeBounds:
    """What is left out beyond; the tree says so then."""

    depth: int = 50
    children: int = 1024
    actions: int = 16
    elements: int = 20_000
    characters: int = 4_000_000
    text: int = 20_000
    """Characters of the text of one element; of terminals the last ones."""
    seconds: float = 20.0


@dataclass
class Tree:
    root: Element
    cut_by: set[str] = field(default_factory=set)
    """The bounds that left something out."""


class Describer:
    """Counts the characters of all that it writes."""

    def __init__(self, bus: AccessibilityBus, bounds: TreeBounds, tree: Tree, showing_only: bool) -> None:
        self._bus = bus
        self._bounds = bounds
        self._tree = tree
        self._showing_only = showing_only
        self.characters = 0

    def describe(
        self,
        of: Reference,
        element: Element,
        role: str,
        interfaces: set[str],
        is_showing: bool,
        is_brief: bool,
        read: Callable[[], None],
    ) -> None:
        """
        :param is_brief: without attributes and values
        :param read: called once it has a text
        """
        bus = self._bus

        def placed(extents: Any) -> None:
            if extents is not None:
                x, y, width, height = extents
                element.set(COMPONENT + "screencoord", f"({x}, {y})")
                element.set(COMPONENT + "size", f"({width}, {height})")

        def written(text: Any) -> None:
            bound = self._bounds.text
            if text and len(text) > bound:
                self._tree.cut_by.add("text")
                text = text[-bound:] if role == "terminal" else text[:bound]
            if text:
                element.text = self.text(text) or None
                read()

        def acted(count: Any) -> None:
            for number in range(min(count or 0, self._bounds.actions)):
                self._describe_action(of, element, GLib.Variant("(i)", (number,)))

        def valued(values: Any) -> None:
            for key, name in VALUE_NAMES:
                if values and name in values:
                    element.set(VALUE + key, str(values[name]))

        if "Component" in interfaces and is_showing:
            bus.ask(of, INTERFACE + "Component", "GetExtents", SCREEN, placed)
        if "Text" in interfaces:
            bus.ask(of, INTERFACE + "Text", "GetText", GLib.Variant("(ii)", (0, -1)), written)
        if "Image" in interfaces:
            element.set("image", "true")
        if "Selection" in interfaces:
            element.set("selection", "true")
        if "Value" in interfaces and not is_brief:
            bus.read_all(of, INTERFACE + "Value", valued)
        if "Action" in interfaces and not self._showing_only:
            bus.read(of, _ACTION, "NActions", acted)

    def _describe_action(self, of: Reference, element: Element, number: Any) -> None:
        """One by one: what `GetActions` answers is translated."""
        name = ""

        def named(text: Any) -> None:
            nonlocal name
            name = (text or "").replace(" ", "-")

        def described(text: Any) -> None:
            element.set(ACTION + xml_name(f"{name}_desc"), self.text(text or ""))

        def bound(text: Any) -> None:
            element.set(ACTION + xml_name(f"{name}_kb"), self.text(text or ""))

        self._bus.ask(of, _ACTION, "GetName", number, named)
        self._bus.ask(of, _ACTION, "GetDescription", number, described)
        self._bus.ask(of, _ACTION, "GetKeyBinding", number, bound)

    def text(self, text: str) -> str:
        clean = xml_text(text)
        self.characters += len(clean)
        return clean
