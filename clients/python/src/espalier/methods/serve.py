"""Plays methods for a worker that speaks with this process."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .._conversation import Conversation
from .._faults import describe_error
from .method import Method


def serve(
    methods: Callable[[], Mapping[str, Method]], files: Sequence[dict[str, str]], conversation: Conversation
) -> None:
    """Answers the worker until it is gone.

    :param methods: by their ids, read anew for each question
    """
    while True:
        question = conversation.read()
        if question["op"] == "describe":
            facts = [each.facts() for each in methods().values()]
            conversation.answer(methods=facts, files=files, protocol=2)
            continue
        try:
            play(methods(), question, conversation)
            conversation.answer(requests=[], done=True)
        except Exception as error:
            traceback.print_exc()
            conversation.answer(error=describe_error(error))


def play(methods: Mapping[str, Method], question: dict[str, Any], conversation: Conversation) -> None:
    methods[question["method"]].run(conversation, question["parameters"], question["episode"])
