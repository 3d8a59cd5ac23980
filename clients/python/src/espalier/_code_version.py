"""The version of code that this process plays for a service."""

from __future__ import annotations

import hashlib
import inspect
import json
import secrets
from collections.abc import Iterator
from types import CodeType
from typing import Any


def version_of(code: Any, facts: dict[str, Any]) -> str:
    """Another version of the code has another id, so that a run never goes on with other rules.

    It covers the class or function, and the classes and functions of its module that it names. Code without a source is
    another version each time.
    """
    try:
        source = _sources(code)
    except (OSError, TypeError):
        source = [secrets.token_hex(16)]
    return hashlib.sha256(json.dumps([source, facts], sort_keys=True).encode()).hexdigest()[:8]


def _sources(code: Any) -> list[str]:
    found = {id(code): inspect.getsource(code)}
    waiting = [code]
    while waiting:
        for value in _named_by(waiting.pop()):
            if id(value) not in found and getattr(value, "__module__", None) == code.__module__:
                found[id(value)] = inspect.getsource(value)
                waiting.append(value)
    first, *others = found.values()
    return [first, *sorted(others)]


def _named_by(value: Any) -> Iterator[Any]:
    """The classes and functions that a function, or the functions of a class, name."""
    members = [value, *vars(value).values()] if inspect.isclass(value) else [value]
    for member in members:
        function = inspect.unwrap(getattr(member, "__func__", getattr(member, "fget", member)))
        if inspect.isfunction(function):
            for name in _names_in(function.__code__):
                named = function.__globals__.get(name)
                if inspect.isclass(named) or inspect.isfunction(named):
                    yield named


def _names_in(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names_in(constant)
