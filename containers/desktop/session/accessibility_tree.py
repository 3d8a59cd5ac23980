"""The accessibility tree of a desktop as XML, in the shape that OSWorld's server gives it, within bounds."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from accessibility_bus import ACCESSIBLE, NULL_PATH, AccessibilityBus, Reference
from accessibility_xml import (
    ACTION,
    ATTRIBUTE,
    COMPONENT,
    ROLE_NAMES,
    STATE,
    VALUE,
    VALUE_NAMES,
    Element,
    settle_places,
    state_names,
    xml_name,
    xml_text,
)
from gi.repository import GLib

_ROOT: Reference = ("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root")
_INTERFACE = "org.a11y.atspi."
_ACTION = _INTERFACE + "Action"
_SCREEN = GLib.Variant("(u)", (0,))


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


@dataclass
class _Kind:
    """What accessibles of one kind, such as the cells of a table, have in common."""

    role: str = "unknown"
    interfaces: set[str] | None = None
    is_asked: bool = False
    waiting: list[Callable[[], None]] = field(default_factory=list)
    """What waits for the one that was asked."""


def read_tree(bounds: TreeBounds, showing_only: bool) -> Tree:
    """
    Reads the tree of all applications.

    :param showing_only: leaves out elements that are not showing, and all below them, of which the closed menus of an office
        program have many; and of the cells of a spreadsheet their attributes and values
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
                place = Element("")
                root.append(place)
                self._bus.connect(child, partial(self._visit, child, place, 1))

        self._bus.ask(_ROOT, ACCESSIBLE, "GetChildren", None, take)
        self._bus.run()
        settle_places(root)
        if self._bus.is_late:
            self._tree.cut_by.add("seconds")
        return self._tree

    def _visit(
        self, of: Reference, parent: Element, depth: int, is_calc: bool = False, kind: _Kind | None = None
    ) -> None:
        """
        Puts an accessible under its parent, in the place that it has among the others, once it has answered.

        :param kind: of its siblings too, which need not all be asked for it
        """
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
            names = state_names(states)
            is_showing = "showing" in names and "visible" in names
            if states is None or (self._showing_only and not is_showing and not is_application):
                self._elements -= 1
                return
            for name in names:
                element.set(STATE + name, "true")
            self._describe(of, element, depth, is_calc, is_showing, kind)

        self._bus.ask(of, ACCESSIBLE, "GetState", None, take)

    def _describe(
        self,
        of: Reference,
        element: Element,
        depth: int,
        is_calc: bool,
        is_showing: bool,
        kind: _Kind | None,
    ) -> None:
        known = kind or _Kind()
        is_brief = kind is not None and self._showing_only

        def named(name: Any) -> None:
            element.set("name", self._text(name or ""))

        def attributed(attributes: Any) -> None:
            for key, value in (attributes or {}).items():
                if key:
                    element.set(ATTRIBUTE + xml_name(key), self._text(value))

        def played(role: Any) -> None:
            known.role = ROLE_NAMES.get(role or 0) or "unknown"

        def offered(interfaces: Any) -> None:
            known.interfaces = {name.removeprefix(_INTERFACE) for name in interfaces or []}
            descend()
            for then in known.waiting:
                then()
            known.waiting.clear()

        def descend() -> None:
            element.tag = xml_name(known.role.replace(" ", "-"))
            interfaces = known.interfaces or set()
            self._describe_further(of, element, known.role, interfaces, is_showing, is_brief)
            below = is_calc or known.role == "document spreadsheet"
            if depth >= self._bounds.depth:
                self._tree.cut_by.add("depth")
            elif below and known.role == "table":
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
        if not is_brief:
            self._bus.ask(of, ACCESSIBLE, "GetAttributes", None, attributed)
        if known.interfaces is not None:
            descend()
        elif known.is_asked:
            known.waiting.append(descend)
        else:
            known.is_asked = True
            self._bus.ask(of, ACCESSIBLE, "GetRole", None, played)
            self._bus.ask(of, ACCESSIBLE, "GetInterfaces", None, offered)

    def _describe_further(
        self,
        of: Reference,
        element: Element,
        role: str,
        interfaces: set[str],
        is_showing: bool,
        is_brief: bool,
    ) -> None:
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
                element.text = self._text(text) or None

        def acted(count: Any) -> None:
            for number in range(min(count or 0, self._bounds.actions)):
                self._describe_action(of, element, GLib.Variant("(i)", (number,)))

        def valued(values: Any) -> None:
            for key, name in VALUE_NAMES:
                if values and name in values:
                    element.set(VALUE + key, str(values[name]))

        if "Component" in interfaces and is_showing:
            bus.ask(of, _INTERFACE + "Component", "GetExtents", _SCREEN, placed)
        if "Text" in interfaces:
            bus.ask(of, _INTERFACE + "Text", "GetText", GLib.Variant("(ii)", (0, -1)), written)
        if "Image" in interfaces:
            element.set("image", "true")
        if "Selection" in interfaces:
            element.set("selection", "true")
        if "Value" in interfaces and not is_brief:
            bus.read_all(of, _INTERFACE + "Value", valued)
        if "Action" in interfaces and not self._showing_only:
            bus.read(of, _ACTION, "NActions", acted)

    def _describe_action(self, of: Reference, element: Element, number: Any) -> None:
        """One by one: what `GetActions` answers is translated."""
        name = ""

        def named(text: Any) -> None:
            nonlocal name
            name = (text or "").replace(" ", "-")

        def described(text: Any) -> None:
            element.set(ACTION + xml_name(f"{name}_desc"), self._text(text or ""))

        def bound(text: Any) -> None:
            element.set(ACTION + xml_name(f"{name}_kb"), self._text(text or ""))

        self._bus.ask(of, _ACTION, "GetName", number, named)
        self._bus.ask(of, _ACTION, "GetDescription", number, described)
        self._bus.ask(of, _ACTION, "GetKeyBinding", number, bound)

    def _visit_cells(self, table: Reference, element: Element, depth: int) -> None:
        """
        Of a spreadsheet, which has more than a thousand million cells, those that show: from the cell in one corner of
        what shows to the one in the other.
        """
        bus = self._bus
        corners: dict[str, int] = {}
        kind = _Kind()

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
                    self._visit(cell, place, depth + 1, True, kind)

            return found

        bus.read(table, _INTERFACE + "Table", "NColumns", sized)

    def _text(self, text: str) -> str:
        clean = xml_text(text)
        self._characters += len(clean)
        return clean
