"""Reads calls and functions in code that a model wrote."""

from __future__ import annotations

import ast
import math
from typing import Any, Optional, Union

TAKEN = ("act", "print")

Defined = Union[ast.FunctionDef, ast.AsyncFunctionDef]


def read_call(text: str, names: list[str]) -> Optional[dict[str, str]]:
    """An action that is exactly one call of one of these functions, with only literal arguments; None for others."""
    code = bare(text)
    try:
        call = ast.parse(code, mode="eval").body
    except (SyntaxError, ValueError):
        return None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.func.id not in names:
        return None
    if any(keyword.arg is None for keyword in call.keywords):
        return None
    values = [*call.args, *(keyword.value for keyword in call.keywords)]
    if not all(is_literal(value) for value in values):
        return None
    return {"name": call.func.id, "code": ast.get_source_segment(code, call) or code}


def bare(text: str) -> str:
    code = text.strip().rstrip(".; \t\n")
    while len(code) > 1 and code[0] == code[-1] == "`":
        code = code[1:-1]
    return code.rstrip(".; \t\n").strip()


def is_literal(node: ast.AST) -> bool:
    if isinstance(node, ast.Constant):
        value = node.value
        return value is None or isinstance(value, (str, bool, int)) or (
            isinstance(value, float) and math.isfinite(value)
        )
    if isinstance(node, (ast.List, ast.Tuple)):
        return all(is_literal(each) for each in node.elts)
    if isinstance(node, ast.Dict):
        return all(key is not None and is_literal(key) for key in node.keys) and all(
            is_literal(value) for value in node.values
        )
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and is_literal(node.operand)


def read_functions(code: str) -> dict[str, Any]:
    """The functions at the top of a piece of code, each with the imports of the code, and the rest of it."""
    try:
        body = ast.parse(code).body
    except (SyntaxError, ValueError) as error:
        return failed(f"{error.args[0]}", getattr(error, "lineno", None))
    lines = code.split("\n")
    imports = [segment(lines, each, each) for each in body if isinstance(each, (ast.Import, ast.ImportFrom))]
    functions: list[dict[str, Any]] = []
    rest: list[str] = []
    for statement in body:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            problem = problem_of(statement, [each["name"] for each in functions])
            if problem is not None:
                return failed(f'The function "{statement.name}" {problem}', statement.lineno)
            functions.append(describe(lines, statement, imports))
        else:
            rest.append(segment(lines, statement, statement))
    return {"type": "read", "functions": functions, "rest": "\n".join(rest)}


def failed(message: str, line: Optional[int]) -> dict[str, Any]:
    return {"type": "failed", "message": message, "line": line}


def problem_of(defined: Defined, earlier: list[str]) -> Optional[str]:
    if isinstance(defined, ast.AsyncFunctionDef):
        return "is asynchronous; write a plain function."
    if is_generator(defined):
        return "is a generator; write a plain function."
    if defined.name in TAKEN:
        return "hides what programs act by; give it another name."
    if defined.name in earlier:
        return "is declared twice; give each function its own name."
    return None


def is_generator(defined: ast.AST) -> bool:
    inner = [each for each in ast.iter_child_nodes(defined) if not isinstance(each, (ast.Lambda, ast.FunctionDef))]
    return any(isinstance(each, (ast.Yield, ast.YieldFrom)) or is_generator(each) for each in inner)


def describe(lines: list[str], defined: ast.FunctionDef, imports: list[str]) -> dict[str, Any]:
    first = min([defined, *defined.decorator_list], key=lambda each: each.lineno)
    code = segment(lines, first, defined)
    return {
        "name": defined.name,
        "parameters": parameters(defined.args),
        "code": "\n".join([*imports, code]),
        "comment": ast.get_docstring(defined),
    }


def parameters(given: ast.arguments) -> list[str]:
    usual = [*given.posonlyargs, *given.args]
    without = len(usual) - len(given.defaults)
    named = [show(each, None if at < without else given.defaults[at - without]) for at, each in enumerate(usual)]
    more = [f"*{given.vararg.arg}"] if given.vararg else []
    only = [show(each, value) for each, value in zip(given.kwonlyargs, given.kw_defaults)]
    return [*named, *more, *only, *([f"**{given.kwarg.arg}"] if given.kwarg else [])]


def show(parameter: ast.arg, default: Optional[ast.expr]) -> str:
    return parameter.arg if default is None else f"{parameter.arg}={ast.unparse(default)}"


def segment(lines: list[str], first: Any, last: Any) -> str:
    """Whole lines, so that a decorator keeps its mark; statements that share a line are cut at their ends."""
    start = first.lineno - 1
    taken = lines[start : last.end_lineno]
    if first is last:
        taken[-1] = taken[-1].encode()[: last.end_col_offset].decode()
        taken[0] = taken[0].encode()[first.col_offset :].decode() if first.col_offset else taken[0]
    return "\n".join(taken)
