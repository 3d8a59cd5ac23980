"""Runs a program from its top with the answers known so far, up to its first action without one, its end or its failure."""

from __future__ import annotations

import ast
import builtins
import importlib
import random
import re
import sys
from types import FrameType
from typing import Any, Callable, NoReturn, Optional

from .confine import refuse

#: Modules that compute and reach nothing.
MODULES = (
    "bisect collections collections.abc copy dataclasses enum fractions functools heapq itertools json math numbers "
    "operator random re statistics string textwrap typing"
).split()
#: Built-ins that read input, or run code that no limit counts.
WITHOUT = {"breakpoint", "compile", "copyright", "credits", "eval", "exec", "exit", "help", "input", "license", "open", "quit"}

FILE = "program.py"
MOST_CHARACTERS = 2_000
MOST_ACTION = 10_000
MOST_LINES = 100
MOST_CALLS = 400

Finish = Callable[[dict[str, Any]], None]


class InvalidAction(Exception):
    """The environment's answer to an action that it did not understand, or that is not possible."""


def load_modules() -> None:
    """Loads the modules that programs may import: a program itself can read no file."""
    for name in MODULES:
        importlib.import_module(name)
    # Its parts are loaded by the first use.
    re.compile(r"(?P<a>\w+)\b")


def run_program(question: dict[str, Any], finish: Finish) -> dict[str, Any]:
    """The program's state. One that is reached inside the program goes to ``finish``, which does not return."""
    return Run(question, finish).play()


class Run:
    def __init__(self, question: dict[str, Any], finish: Finish) -> None:
        self.code: str = question["code"]
        self.calls: Optional[str] = question.get("calls")
        self.answers: list[dict[str, Any]] = question["answers"]
        self.most_acts: int = question["acts"]
        self.most_rounds: int = question["rounds"]
        self.printed: list[str] = []
        self.acts = 0
        self.rounds = 0
        self.finish = finish
        random.seed(question["seed"])

    def play(self) -> dict[str, Any]:
        scope: dict[str, Any] = {"__name__": "__main__", "__builtins__": self.builtins()}
        scope.update(act=self.act, print=self.print, InvalidAction=InvalidAction)
        try:
            compiled = compile(self.tree(), FILE, "exec", dont_inherit=True)
        except (SyntaxError, ValueError) as error:
            return self.failure("syntax", str(error.args[0]), getattr(error, "lineno", None))
        except (RecursionError, MemoryError):
            return self.failure("stack", "The program is nested too deeply.", None)
        sys.setrecursionlimit(MOST_CALLS)
        sys.settrace(self.count)
        sys.addaudithook(refuse)
        try:
            exec(compiled, scope)
        except BaseException as error:  # noqa: BLE001
            return self.describe(error)
        return {"type": "ended", "printed": self.printed}

    def tree(self) -> ast.Module:
        """The program, whose last calls have a function of their own, so that functions see no name of theirs."""
        tree = ast.parse(self.code, FILE)
        if self.calls is not None:
            body = ast.parse(self.calls, FILE).body
            own = ast.parse("def __calls__():\n    pass\n__calls__()").body
            if body:
                own[0].body = body  # type: ignore[attr-defined]
            tree.body.extend(own)
        return tree

    def builtins(self) -> dict[str, Any]:
        kept = {name: value for name, value in vars(builtins).items() if name not in WITHOUT}
        return {**kept, "__import__": self.load}

    def load(self, name: str, scope: Any = None, _locals: Any = None, wanted: Any = (), level: int = 0) -> Any:
        if level != 0 or name not in MODULES:
            raise ImportError(f"Programs may import only {', '.join(MODULES)}; {name} is not there.")
        return sys.modules[name if wanted else name.split(".")[0]]

    def act(self, action: str) -> str:
        if not isinstance(action, str):
            kind = type(action).__name__
            raise TypeError(f'act takes one action as a text, such as act("look"); it got {kind}.')
        if len(action) > MOST_ACTION:
            raise ValueError(f"An action has at most {MOST_ACTION} characters.")
        if "\0" in action or not is_well_formed(action):
            raise ValueError("An action is well-formed text without NUL.")
        if self.acts >= self.most_acts:
            self.stop(self.failure("interrupted", f"The program took more than {self.most_acts} actions.", None))
        if self.acts < len(self.answers):
            answer = self.answers[self.acts]
            self.acts += 1
            if not answer["valid"]:
                raise InvalidAction(answer["observation"])
            return str(answer["observation"])
        self.stop({"type": "acts", "action": without_addresses(action)})

    def print(self, *values: Any, sep: Optional[str] = " ", **_options: Any) -> None:
        if len(self.printed) < MOST_LINES:
            self.printed.append(shorten((" " if sep is None else sep).join(map(str, values))))
        elif len(self.printed) == MOST_LINES:
            self.printed.append(f"… (more than {MOST_LINES} lines)")

    def count(self, frame: FrameType, event: str, _value: Any) -> Any:
        self.rounds += 1
        if self.rounds > self.most_rounds:
            self.stop(self.failure("interrupted", "The program ran for too long without an end.", None))
        if frame.f_code.co_filename != FILE:
            return None
        # A loop on one line has no event of lines.
        frame.f_trace_lines, frame.f_trace_opcodes = False, True
        return self.count

    def stop(self, state: dict[str, Any]) -> NoReturn:
        self.finish(state)
        raise SystemExit

    def describe(self, error: BaseException) -> dict[str, Any]:
        kind = type(error).__name__
        if isinstance(error, MemoryError):
            return self.failure("memory", "out of memory", None)
        if isinstance(error, RecursionError):
            return self.failure("stack", "stack overflow", None)
        try:
            said = str(error)
        except Exception:  # noqa: BLE001
            said = "an error that cannot be described"
        line = line_of(error)
        if isinstance(error, InvalidAction):
            return self.failure("invalid_action", said, line)
        return self.failure("thrown", f"{kind}: {said}" if said else kind, line)

    def failure(self, reason: str, message: str, line: Optional[int]) -> dict[str, Any]:
        return {
            "type": "failed",
            "reason": reason,
            "message": shorten(message),
            "line": line,
            "printed": self.printed,
        }


def line_of(error: BaseException) -> Optional[int]:
    line, at = None, error.__traceback__
    while at is not None:
        if at.tb_frame.f_code.co_filename == FILE:
            line = at.tb_lineno
        at = at.tb_next
    return line


def is_well_formed(text: str) -> bool:
    return not any("\ud800" <= each <= "\udfff" for each in text)


def without_addresses(text: str) -> str:
    """Addresses differ from process to process, so that a replay would show others."""
    return re.sub(r" at 0x[0-9a-f]+", "", text)


def shorten(text: str) -> str:
    clean = without_addresses(text.replace("\0", "\ufffd"))
    whole = clean.encode("utf-8", "replace").decode()
    return whole if len(whole) <= MOST_CHARACTERS else f"{whole[:MOST_CHARACTERS]}… (cut)"
