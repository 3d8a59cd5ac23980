"""``python -m espalier.methods FILE``: plays the methods that a file defines, for the worker that started this program."""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from pathlib import Path
from typing import Any

from .conversation import Conversation, describe_error
from .method import Method


def load(path: Path) -> dict[str, Method]:
    """The methods that a file defines, by their ids. :raises SystemExit: where it cannot be loaded, or defines none"""
    spec = importlib.util.spec_from_file_location("espalier_method", path)
    if spec is None or spec.loader is None:
        sys.exit(f"{path} is no Python file.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    sys.path.insert(0, str(path.parent))
    spec.loader.exec_module(module)
    found = {value.id: value for value in vars(module).values() if isinstance(value, Method)}
    if not found:
        sys.exit(f"{path} defines no method: a function under @method of espalier.methods.")
    return found


def files_of(path: Path) -> list[dict[str, str]]:
    """The file, and what it imported from its folder, with their digests."""
    loaded = {path} | {
        Path(file).resolve()
        for module in list(sys.modules.values())
        if isinstance(file := getattr(module, "__file__", None), str)
    }
    own = sorted(file for file in loaded if file.suffix == ".py" and file.is_relative_to(path.parent))
    outside = ("site-packages", "dist-packages")
    return [
        {
            "name": file.relative_to(path.parent).as_posix(),
            "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
        }
        for file in own
        if not any(part in outside for part in file.parts)
    ]


def serve(methods: dict[str, Method], files: list[dict[str, str]], conversation: Conversation) -> None:
    """Answers the worker until it is gone."""
    while True:
        question = conversation.read()
        if question["op"] == "describe":
            conversation.answer(methods=[each.facts() for each in methods.values()], files=files)
            continue
        try:
            play(methods, question, conversation)
            conversation.answer(requests=[], done=True)
        except Exception as error:
            conversation.answer(error=describe_error(error))


def play(methods: dict[str, Method], question: dict[str, Any], conversation: Conversation) -> None:
    methods[question["method"]].run(conversation, question["parameters"], question["episode"])


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit("Usage: python -m espalier.methods FILE")
    path = Path(sys.argv[1]).resolve()
    if not path.exists():
        sys.exit(f"There is no file {path}.")
    # What the file prints, also while it is loaded, must not be taken for answers.
    answers, sys.stdout = sys.stdout, sys.stderr
    methods = load(path)
    serve(methods, files_of(path), Conversation(sys.stdin, answers))


main()
