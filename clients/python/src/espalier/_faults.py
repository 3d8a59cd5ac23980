"""The text of an exception of a user's file, with the place that raised it."""

from __future__ import annotations

import sysconfig
import traceback
from pathlib import Path

_PACKAGE = str(Path(__file__).parent)
_LIBRARIES = tuple({sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")})


def describe_error(error: BaseException) -> str:
    """The error with the file, the line and the function of the user's last frame; of a library's, if it has none."""
    if isinstance(error, SyntaxError) and error.filename is not None:
        return f"{type(error).__name__}: {error.msg} ({Path(error.filename).name}, line {error.lineno})"
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.startswith(_PACKAGE)]
    users = [frame for frame in frames if not frame.filename.startswith((*_LIBRARIES, "<"))]
    last = (users or frames)[-1:]
    place = "".join(f" ({Path(frame.filename).name}, line {frame.lineno}, in {frame.name})" for frame in last)
    return f"{type(error).__name__}: {error}{place}"
