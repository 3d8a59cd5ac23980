"""States that a search returns to, kept in the process that plays."""

from __future__ import annotations

import copy
import pickle
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, NamedTuple

from .environment import Environment


class StateNotKeptError(Exception):
    """The state was dropped, or is another process's: the host takes the steps again."""


class Kept(NamedTuple):
    """``make`` returns the session at the state, given the session that goes there."""

    make: Callable[[Environment], Environment]
    observation: str


class KeptStates:
    """The newest states, by their names. Each has its own copy: no later step changes it."""

    def __init__(self, most: int, prefix: str = ""):
        """:param prefix: of the names, so that no state of another process or class has one of them"""
        self._most = most
        self._prefix = prefix
        self._states: OrderedDict[str, Kept] = OrderedDict()
        self._taken = 0

    def keep(self, session: Environment, observation: str) -> str:
        self._taken += 1
        name = f"{self._prefix}{self._taken}"
        self._states[name] = Kept(_copier(session), observation)
        if len(self._states) > self._most:
            self._states.popitem(last=False)
        return name

    def find(self, name: str) -> Kept:
        """:raises StateNotKeptError: if it was dropped"""
        kept = self._states.get(name)
        if kept is None:
            raise StateNotKeptError("This process does not keep the state, or not any more.")
        self._states.move_to_end(name)
        return kept


def _copier(session: Environment) -> Callable[[Environment], Environment]:
    if type(session).copies:
        kept = copy.deepcopy(session)
        return lambda _: copy.deepcopy(kept)
    read = _frozen(session.save())

    def load(target: Environment) -> Environment:
        target.load(read())
        return target

    return load


def _frozen(state: Any) -> Callable[[], Any]:
    try:
        written = pickle.dumps(state, pickle.HIGHEST_PROTOCOL)
    except (pickle.PicklingError, TypeError, AttributeError):
        copied = copy.deepcopy(state)
        return lambda: copy.deepcopy(copied)
    return lambda: pickle.loads(written)
