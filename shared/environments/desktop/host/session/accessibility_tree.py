"""The accessibility tree of a desktop as XML, in the shape that OSWorld's server gives it, within bounds."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from accessibility_bus import ACCESSIBLE, NULL_PATH, AccessibilityBus, Reference
from accessibility_xml import ATTRIBUTE, ROLE_NAMES, STATE, Element, settle_places, state_names, xml_name
from accessible_facts import INTERFACE, SCREEN, Describer, Tree, TreeBounds
from gi.repository import GLib

_ROOT: Reference = ("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root")


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
        self._tree = Tree(Element("desktop-frame"))
        self._describer = Describer(bus, bounds, self._tree, showing_only)

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
        if self._describer.characters >= self._bounds.characters:
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
            element.set("name", self._describer.text(name or ""))

        def attributed(attributes: Any) -> None:
            for key, value in (attributes or {}).items():
                if key:
                    element.set(ATTRIBUTE + xml_name(key), self._describer.text(value))

        def played(role: Any) -> None:
            known.role = ROLE_NAMES.get(role or 0) or "unknown"

        def offered(interfaces: Any) -> None:
            known.interfaces = {name.removeprefix(INTERFACE) for name in interfaces or []}
            descend()
            for then in known.waiting:
                then()
            known.waiting.clear()

        def descend() -> None:
            element.tag = xml_name(known.role.replace(" ", "-"))
            # Of a spreadsheet most cells are empty, and have nothing below them.
            read = enter if is_brief else _ignore
            self._describer.describe(
                of, element, known.role, known.interfaces or set(), is_showing, is_brief, read
            )
            if not is_brief:
                enter()

        def enter() -> None:
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
                bus.ask(table, INTERFACE + "Component", "GetExtents", SCREEN, placed)

        def placed(extents: Any) -> None:
            if extents is None:
                return
            x, y, width, height = extents
            left, top = max(x, 0) + 2, max(y, 0) + 2
            right, bottom = min(x + width, 1 << 14) - 2, min(y + height, 1 << 14) - 2
            for corner, at in (("first", (left, top)), ("last", (right, bottom))):
                bus.ask(
                    table, INTERFACE + "Component", "GetAccessibleAtPoint",
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

        bus.read(table, INTERFACE + "Table", "NColumns", sized)


def _ignore() -> None:
    """Nothing waits for the text of this one."""
