"""The vocabulary of OSWorld's accessibility trees: namespaces, names of states and roles, and what XML may hold."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

import gi

gi.require_version("Atspi", "2.0")

from gi.repository import Atspi  # noqa: E402

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

_STATE_NAMES = [
    Atspi.StateType(number).value_nick.replace("-", "_") for number in range(Atspi.StateType.LAST_DEFINED)
]
ROLE_NAMES = {
    number: Atspi.role_get_name(Atspi.Role(number)).strip() for number in range(Atspi.Role.LAST_DEFINED)
}
_NO_NAME = re.compile(r"[^\w.-]|^[^A-Za-z_]")
_NO_TEXT = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[\ufffc\ufffd]")
VALUE_NAMES = (
    ("value", "CurrentValue"),
    ("min", "MinimumValue"),
    ("max", "MaximumValue"),
    ("step", "MinimumIncrement"),
)


def state_names(states: Any) -> list[str]:
    low, high = states if states else (0, 0)
    bits = low | high << 32
    return [name for number, name in enumerate(_STATE_NAMES) if bits >> number & 1]


def xml_name(text: str) -> str:
    """What may stand as a name in XML."""
    return _NO_NAME.sub("_", text) or "_"


def settle_places(element: Element) -> None:
    """Takes out the places of those that did not answer, and puts the ones that did where their places were."""
    settled: list[Element] = []
    for child in element:
        settle_places(child)
        if child.tag != "":
            settled.append(child)
        elif len(child):
            settled.extend(child)
    element[:] = settled


def xml_text(text: str) -> str:
    """Without what XML cannot hold, and without what stands for objects in texts."""
    return _NO_TEXT.sub("", text)
