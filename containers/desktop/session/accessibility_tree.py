"""The accessibility tree of a desktop as XML, in the shape that OSWorld's server gives it, within bounds."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field
from typing import Any
from xml.etree import ElementTree

import gi

gi.require_version("Atspi", "2.0")

from accessibility_bus import ACCESSIBLE, NULL_PATH, AccessibilityBus, Reference  # noqa: E402
from gi.repository import Atspi, GLib  # noqa: E402

Element = ElementTree.Element

_SPACE = "https://accessibility.ubuntu.example.org/ns/"
_PLACES = {
    "st": "state",
    "attr": "attributes",
    "cp": "component",
    "doc": "document",
    "docattr": "document/attributes",
    "txt": "text",
    "val": "value",
    "act": "action",
}
STATE, ATTRIBUTE, COMPONENT, VALUE, ACTION = (
    f"{{{_SPACE}{_PLACES[prefix]}}}" for prefix in ("st", "attr", "cp", "val", "act")
)
for _prefix, _place in _PLACES.items():
    ElementTree.register_namespace(_prefix, _SPACE + _place)

_ROOT: Reference = ("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root")
_INTERFACE = "org.a11y.atspi."
_STATE_NAMES = [
    Atspi.StateType(number).value_nick.replace("-", "_") for number in range(Atspi.StateType.LAST_DEFINED)
]
_NO_NAME = re.compile(r"[^\w.-]|^[^A-Za-z_]")
_NO_TEXT = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[\ufffc\ufffd]")
_SCREEN = GLib.Variant("(u)", (0,))


@dataclass(frozen=True)
class TreeBounds:
    """What is left out beyond; the tree says so then."""

    depth: int = 50
    children: int = 1024
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


def read_tree(bounds: TreeBounds, showing_only: bool) -> Tree:
    """
    Reads the tree of all applications.

    :param showing_only: leaves out elements that are not showing, and all below them: the closed menus of an office program
        are most of its tree
    """
    bus = AccessibilityBus(time.monotonic() + bounds.seconds)
    try:
        return _Walk(bus, bounds, showing_only).read()
    finally:
        bus.close()


class _Walk:
    def __init__(self, bus: AccessibilityBus, bounds: TreeBounds, showing_only: bool) -> None:
        self._bus = bus
        self._bounds = bounds
        self._showing_only = showing_only
        self._elements = 0
        self._characters = 0
        self._tree = Tree(Element("desktop-frame"))

    def read(self) -> Tree:
        root = self._tree.root

        def take(children: Any) -> None:
            for child in children or []:
                self._visit(child, root, 1)

        self._bus.ask(_ROOT, ACCESSIBLE, "GetChildren", None, take)
        self._bus.run()
        _settle(root)
        if self._bus.is_late:
            self._tree.cut_by.add("seconds")
        return self._tree

    def _visit(self, of: Reference, parent: Element, depth: int, is_calc: bool = False) -> None:
        """Puts an accessible under its parent, in the place that it has among the others, once it has answered."""
        if of[1] == NULL_PATH:
            return
        if self._elements >= self._bounds.elements:
            self._tree.cut_by.add("elements")
            return
        if self._characters >= self._bounds.characters:
            self._tree.cut_by.add("characters")
            return
        self._elements += 1
        element = Element("")
        parent.append(element)
        # An application itself is never showing.
        is_application = depth == 1

        def take(states: Any) -> None:
            names = _names_of(states)
            is_showing = "showing" in names and "visible" in names
            if states is None or (self._showing_only and not is_showing and not is_application):
                self._elements -= 1
                return
            for name in names:
                element.set(STATE + name, "true")
            self._describe(of, element, depth, is_calc, is_showing)

        self._bus.ask(of, ACCESSIBLE, "GetState", None, take)

    def _describe(
        self, of: Reference, element: Element, depth: int, is_calc: bool, is_showing: bool
    ) -> None:
        facts: dict[str, Any] = {}

        def named(name: Any) -> None:
            element.set("name", self._text(name or ""))

        def attributed(attributes: Any) -> None:
            for key, value in (attributes or {}).items():
                if key:
                    element.set(ATTRIBUTE + _name(key), self._text(value))

        def played(role: Any) -> None:
            facts["role"] = (role or "").strip() or "unknown"
            element.tag = _name(facts["role"].replace(" ", "-"))

        def offered(interfaces: Any) -> None:
            facts["interfaces"] = {name.removeprefix(_INTERFACE) for name in interfaces or []}
            self._describe_further(of, element, facts, is_showing)
            below = is_calc or facts.get("role") == "document spreadsheet"
            if depth >= self._bounds.depth:
                self._tree.cut_by.add("depth")
            elif below and facts.get("role") == "table":
                self._visit_cells(of, element, depth)
            else:
                self._bus.ask(of, ACCESSIBLE, "GetChildren", None, lambda found: begotten(found, below))

        def begotten(children: Any, below: bool) -> None:
            for child in (children or [])[: self._bounds.children]:
                self._visit(child, element, depth + 1, below)
            if len(children or []) > self._bounds.children:
                self._tree.cut_by.add("children")

        # An application answers in the order in which it is asked.
        self._bus.read(of, ACCESSIBLE, "Name", named)
        self._bus.ask(of, ACCESSIBLE, "GetAttributes", None, attributed)
        self._bus.ask(of, ACCESSIBLE, "GetRoleName", None, played)
        self._bus.ask(of, ACCESSIBLE, "GetInterfaces", None, offered)

    def _describe_further(
        self, of: Reference, element: Element, facts: dict[str, Any], is_showing: bool
    ) -> None:
        interfaces = facts["interfaces"]
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
                text = text[-bound:] if facts.get("role") == "terminal" else text[:bound]
            if text:
                element.text = self._text(text) or None

        def acted(actions: Any) -> None:
            for name, description, keys in actions or []:
                key = name.replace(" ", "-")
                element.set(ACTION + _name(f"{key}_desc"), self._text(description))
                element.set(ACTION + _name(f"{key}_kb"), self._text(keys))

        if "Component" in interfaces and is_showing:
            bus.ask(of, _INTERFACE + "Component", "GetExtents", _SCREEN, placed)
        if "Text" in interfaces:
            bus.ask(of, _INTERFACE + "Text", "GetText", GLib.Variant("(ii)", (0, -1)), written)
        if "Image" in interfaces:
            element.set("image", "true")
        if "Selection" in interfaces:
            element.set("selection", "true")
        if "Value" in interfaces:
            for key, name in _VALUES:
                bus.read(of, _INTERFACE + "Value", name, _setter(element, VALUE + key))
        if "Action" in interfaces:
            bus.ask(of, _INTERFACE + "Action", "GetActions", None, acted)

    def _visit_cells(self, table: Reference, element: Element, depth: int) -> None:
        """
        Of a spreadsheet, which has more than a thousand million cells, those that show: from the cell in one corner of
        what shows to the one in the other.
        """
        bus = self._bus
        corners: dict[str, int] = {}

        def sized(columns: Any) -> None:
            if columns:
                corners["columns"] = columns
                bus.ask(table, _INTERFACE + "Component", "GetExtents", _SCREEN, placed)

        def placed(extents: Any) -> None:
            if extents is None:
                return
            x, y, width, height = extents
            left, top = max(x, 0) + 2, max(y, 0) + 2
            right, bottom = min(x + width, 1 << 14) - 2, min(y + height, 1 << 14) - 2
            for corner, at in (("first", (left, top)), ("last", (right, bottom))):
                bus.ask(
                    table, _INTERFACE + "Component", "GetAccessibleAtPoint",
                    GLib.Variant("(iiu)", (*at, 0)), _noter(corner),
                )  # fmt: skip

        def _noter(corner: str) -> Any:
            def found(cell: Any) -> None:
                if cell is not None and cell[1] != NULL_PATH:
                    bus.ask(cell, ACCESSIBLE, "GetIndexInParent", None, lambda index: indexed(corner, index))

            return found

        def indexed(corner: str, index: Any) -> None:
            if index is None or index < 0:
                return
            corners[corner] = index
            if "first" in corners and "last" in corners:
                visit()

        def visit() -> None:
            columns = corners["columns"]
            top, left = divmod(corners["first"], columns)
            bottom, right = divmod(corners["last"], columns)
            for row in range(top, bottom + 1):
                for column in range(left, right + 1):
                    place = Element("")
                    element.append(place)
                    bus.ask(
                        table, ACCESSIBLE, "GetChildAtIndex",
                        GLib.Variant("(i)", (row * columns + column,)), _visitor(place),
                    )  # fmt: skip

        def _visitor(place: Element) -> Any:
            def found(cell: Any) -> None:
                if cell is not None:
                    self._visit(cell, place, depth + 1, True)

            return found

        bus.read(table, _INTERFACE + "Table", "NColumns", sized)

    def _text(self, text: str) -> str:
        clean = _NO_TEXT.sub("", text)
        self._characters += len(clean)
        return clean


_VALUES = (
    ("value", "CurrentValue"),
    ("min", "MinimumValue"),
    ("max", "MaximumValue"),
    ("step", "MinimumIncrement"),
)


def _setter(element: Element, key: str) -> Any:
    def take(value: Any) -> None:
        if value is not None:
            element.set(key, str(value))

    return take


def _names_of(states: Any) -> list[str]:
    low, high = states if states else (0, 0)
    bits = low | high << 32
    return [name for number, name in enumerate(_STATE_NAMES) if bits >> number & 1 and name != "invalid"]


def _name(text: str) -> str:
    """What may stand as a name in XML."""
    return _NO_NAME.sub("_", text) or "_"


def _settle(element: Element) -> None:
    """Takes out the places of those that did not answer, and puts the ones that did where their places were."""
    settled: list[Element] = []
    for child in element:
        _settle(child)
        if child.tag != "":
            settled.append(child)
        elif len(child):
            settled.extend(child)
    element[:] = settled
