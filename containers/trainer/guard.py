"""How the trainer ends: with its parent, or by its own will when it is asked to."""

import os
import signal
import threading
from pathlib import Path


def exit_with_parent() -> None:
    """
    Ends the whole process group when the standard input ends. The parent holds its other end and writes nothing, so its end
    means that the parent is gone, even when it was killed: two trainers would otherwise train the same thing.
    """

    def watch() -> None:
        try:
            while os.read(0, 4096):
                pass
        except OSError:
            pass
        os.killpg(os.getpgrp(), signal.SIGKILL)

    threading.Thread(target=watch, daemon=True).start()


class StopRequest:
    """A file whose presence asks every process of the training to save a checkpoint and leave."""

    def __init__(self, path: str) -> None:
        self._path = Path(path)

    @property
    def is_set(self) -> bool:
        return self._path.exists()
