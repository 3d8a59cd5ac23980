"""Packages that some calls need, imported when they are called."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

from .errors import MissingPackageError


def need(module: str, extra: str) -> ModuleType:
    """:raises MissingPackageError: that says what to install"""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is not None and error.name.split(".")[0] == module.split(".")[0]:
            raise MissingPackageError(module, extra) from error
        raise


class _NoProgress:
    total = 0

    def update(self, count: int) -> None: ...
    def set_postfix_str(self, text: str) -> None: ...
    def close(self) -> None: ...


def progress_bar(total: int, description: str, shown: bool, unit: str = "episode") -> Any:
    """A bar for the terminal or the notebook; nothing where it is not wanted or ``tqdm`` is missing."""
    if not shown:
        return _NoProgress()
    try:
        from tqdm.auto import tqdm
    except ModuleNotFoundError:
        return _NoProgress()
    return tqdm(total=total, desc=description, unit=unit)
