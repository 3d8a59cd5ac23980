"""Parts of desktop-env by name, each imported when a task first needs it.

The packages of desktop-env import everything at once, with libraries of gigabytes. Here they are replaced by empty packages
of the same names and folders, so that a module of theirs is imported without what lies beside it.
"""
import ast
import importlib
import importlib.util
import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from faults import Fault

EMPTY_PACKAGES = (
    "",
    ".controllers",
    ".evaluators",
    ".evaluators.getters",
    ".evaluators.metrics",
    ".providers",
    ".providers.aws",
)

LEFT_OUT: dict[str, dict[str, str]] = json.loads(
    Path(__file__).with_name("left-out.json").read_text("utf-8")
)

# Libraries that modules import at their top, and that are left out: what uses one says which.
ABSENT_LIBRARIES = (
    "acoustid",
    "borb",
    "borb.pdf",
    "easyocr",
    "fastdtw",
    "librosa",
    "pydrive",
    "pydrive.auth",
    "pydrive.drive",
)


class AbsentPart:
    """What was imported from a library that is not installed."""

    def __init__(self, library: str):
        self._library = library

    def __call__(self, *_: Any, **__: Any) -> Any:
        raise Fault("left_out", f"It needs {self._library}, which is left out here.")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise Fault("left_out", f"It needs {self._library}, which is left out here.")


class AbsentLibrary(ModuleType):
    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return AbsentPart(self.__name__.partition(".")[0])


def find_desktop_env() -> Path:
    spec = importlib.util.find_spec("desktop_env")
    if spec is None or not spec.submodule_search_locations:
        raise RuntimeError("This Python lacks the package desktop-env.")
    return Path(next(iter(spec.submodule_search_locations)))


class DesktopEnvParts:
    def __init__(self) -> None:
        folder = find_desktop_env()
        for name in EMPTY_PACKAGES:
            package = ModuleType(f"desktop_env{name}")
            package.__path__ = [str(folder.joinpath(*name.split(".")))]
            sys.modules[package.__name__] = package
        for name in ABSENT_LIBRARIES:
            library = AbsentLibrary(name)
            library.__path__ = []
            sys.modules[name] = library
        evaluators = folder / "evaluators"
        self._metrics = exported_names(evaluators / "metrics" / "__init__.py")
        self._getters = exported_names(evaluators / "getters" / "__init__.py")

    @property
    def metrics(self) -> list[str]:
        return sorted(self._metrics)

    @property
    def getters(self) -> list[str]:
        """The types of results, as tasks name them."""
        return sorted(name.removeprefix("get_") for name in self._getters)

    def metric(self, name: str) -> Callable[..., Any]:
        check_presence("metrics", name, f"The metric {name}")
        return self._part("metrics", self._metrics, name, f"desktop-env has no metric {name}.")

    def getter(self, kind: str) -> Callable[..., Any]:
        check_presence("getters", kind, f"The result {kind}")
        return self._part("getters", self._getters, f"get_{kind}", f"desktop-env has no result {kind}.")

    def controller(self, module: str, name: str) -> Any:
        return getattr(importlib.import_module(f"desktop_env.controllers.{module}"), name)

    def _part(self, package: str, names: dict[str, str], name: str, unknown: str) -> Callable[..., Any]:
        if name not in names:
            raise Fault("task", unknown)
        return getattr(importlib.import_module(f"desktop_env.evaluators.{package}.{names[name]}"), name)


def check_presence(group: str, name: str, what: str) -> None:
    if name in LEFT_OUT[group]:
        raise Fault("left_out", f"{what} needs {LEFT_OUT[group][name]}, which is left out here.")


def exported_names(init: Path) -> dict[str, str]:
    """The modules of the names that a package exports, read without importing it; the last import of a name holds."""
    modules: dict[str, str] = {}
    for node in ast.parse(init.read_text("utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.level == 1 and node.module is not None:
            for alias in node.names:
                modules[alias.asname or alias.name] = node.module
    return modules
