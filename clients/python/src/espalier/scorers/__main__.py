"""``python -m espalier.scorers FILE``: scores episodes by the function of a file, for the command that started this program."""

from __future__ import annotations

import asyncio
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .._user_file import files_of, load_file
from .._conversation import Conversation
from .._faults import describe_error


def load(path: Path) -> Callable[[Any], Any]:
    """The function of a file. :raises SystemExit: where it has none"""
    score = getattr(load_file(path, "espalier_scorer"), "score", None)
    if not callable(score):
        sys.exit(f"{path} defines no function score(episode).")
    return score


def answer(score: Callable[[Any], Any], episode: dict[str, Any]) -> Any:
    """What the function says of an episode, awaited where it is ``async``."""
    found = score(episode)
    return asyncio.run(_wait(found)) if inspect.isawaitable(found) else found


async def _wait(found: Any) -> Any:
    return await found


def serve(score: Callable[[Any], Any], files: list[dict[str, str]], conversation: Conversation) -> None:
    """Answers the command until it is gone."""
    while True:
        question = conversation.read()
        if question["op"] == "describe":
            conversation.answer(files=files)
            continue
        try:
            conversation.answer(answer=answer(score, question["episode"]))
        except Exception as error:
            conversation.answer(failed=describe_error(error))


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit("Usage: python -m espalier.scorers FILE")
    path = Path(sys.argv[1]).resolve()
    if not path.exists():
        sys.exit(f"There is no file {path}.")
    # What the file prints, also while it is loaded, must not be taken for answers.
    answers, sys.stdout = sys.stdout, sys.stderr
    score = load(path)
    serve(score, files_of(path), Conversation(sys.stdin, answers))


main()
