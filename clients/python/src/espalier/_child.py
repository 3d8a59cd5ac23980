"""Child processes that end with this process, however it dies: the operating system closes their input."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from typing import Any
from weakref import WeakSet

_inputs: WeakSet[Any] = WeakSet()


def start_child(words: Sequence[str], **options: Any) -> subprocess.Popen[str]:
    """Starts a program that ends at the end of its input."""
    child = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, **options)
    _inputs.add(child.stdin)
    return child


def _close_inputs() -> None:
    # To close the files themselves would write their buffers a second time.
    null = os.open(os.devnull, os.O_WRONLY)
    for each in list(_inputs):
        if not each.closed:
            os.dup2(null, each.fileno(), inheritable=False)
    os.close(null)


# A fork that outlives this process would keep the inputs open. Windows has no forks.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_close_inputs)
