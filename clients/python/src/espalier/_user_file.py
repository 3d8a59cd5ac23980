"""The Python file that a user named: loaded, and the version of its code."""

from __future__ import annotations

import hashlib
import importlib.util
import sys
import traceback
from pathlib import Path
from types import ModuleType

from ._faults import describe_error


def load_file(path: Path, name: str) -> ModuleType:
    """The file as a module, which finds what stands beside it. :raises SystemExit: if it cannot be loaded, with the line"""
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        sys.exit(f"{path} is no Python file.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    sys.path.insert(0, str(path.resolve().parent))
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        traceback.print_exc()
        sys.exit(describe_error(error))
    return module


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
