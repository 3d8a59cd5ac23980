"""Builds modules of the package that are not committed.

`espalier.models` and `espalier.requests` come from `schemas.data.json`, the schemas of the API's OpenAPI document. The
modules of the blocking client come from those of `AsyncClient`.
"""

from __future__ import annotations

import copy
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

REQUESTS = {
    "RunSettings": ("RunRequest", ("environment", "method", "model")),
    "RolloutArguments": ("RolloutRequest", ("environment", "method", "model")),
    "DatasetSettings": ("DatasetRequestInput", ("runs",)),
    "RowSettings": ("DatasetRequestInput", ("runs", "kind", "format")),
    "TrainingSettings": ("TrainingRequestInput", ("base", "datasets", "recipe")),
    "LoopArguments": ("LoopRequestInput", ("recipe", "environment", "base")),
    "ExtendSettings": ("ExtendRequest", ()),
    "ResumeSettings": ("ResumeRequest", ()),
    "ResumeTrainingSettings": ("ResumeTraining", ()),
    "ResumeLoopSettings": ("ResumeLoop", ()),
    "ScoringSettings": ("RubricScoringRequest", ("name", "rubric", "model")),
    "EndpointSettings": ("EndpointAddition", ("name",)),
    "ServeSettings": ("ServeRequestInput", ()),
    "LeaderboardSettings": ("LeaderboardRequest", ()),
    "LabelSettings": ("LabelChange", ()),
    "ImportSettings": ("TrajectoryImportSettings", ("format",)),
}
"""Of each mapping of keyword arguments, the request that it is of, and the fields that are parameters of their own."""

TASK_FIELDS = ("split", "limit", "ids", "range", "types")
"""Fields of a run's `tasks` that may be given beside it."""

BLOCKING = {
    "_async_service_calls": "_service_calls",
    "_async_transport": "_sync_transport",
    "_async_writing_calls": "_writing_calls",
}
"""The modules whose blocking twins are built, and the names of these."""

BLOCKING_WORDS = (
    (r"\b_async_sweep\b", "_sync_sweep"),
    (r"\basync_client import AsyncRun\b", "run import Run"),
    (r"\b(_?)async_", r"\1"),
    (r"\bAsyncTransport\b", "SyncTransport"),
    (r"\bAsync(?=[A-Z])", ""),
    (r"\basyncio\b", "time"),
    (r"\b(?:async|await) ", ""),
    (r"\ba(?=(?:read|iter_bytes|close)\()", ""),
)
"""Replaced in this order."""

HEADER = '"""Shapes of the HTTP API, built by hatch_build.py. Not edited by hand."""'

BOUNDS = (
    "minLength",
    "maxLength",
    "pattern",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minItems",
    "maxItems",
)
"""The service checks these itself: without them types stay plain."""


UNUSED = re.compile(r"/\.bin/|/\.package-lock\.json$|(?<!licenses)\.(?:d\.[cm]?ts|map|[cm]?tsx?|md|markdown)$")
"""Files of npm packages that Node never reads: declarations, sources, maps and their guides."""


class ModelsHook(BuildHookInterface):
    """Adds the module to a wheel, or writes it into the sources that an editable install names."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel":
            return
        root = Path(self.root)
        schemas = json.loads((root / "schemas.data.json").read_text(encoding="utf-8"))
        self._folder = tempfile.TemporaryDirectory()
        made = root / "src/espalier" if version == "editable" else Path(self._folder.name)
        generate_requests(copy.deepcopy(schemas), made / "requests.py")
        generate_models(schemas, made / "models.py")
        for source, target in BLOCKING.items():
            text = (root / "src/espalier" / f"{source}.py").read_text(encoding="utf-8")
            (made / f"{target}.py").write_text(blocking(text), encoding="utf-8")
        if version != "editable":
            for name in ("models", "requests", *BLOCKING.values()):
                build_data["force_include"][str(made / f"{name}.py")] = f"espalier/{name}.py"
            service = os.environ.get("ESPALIER_SERVICE")
            if service is not None:
                build_data["force_include"].update(service_files(Path(service)))


def blocking(text: str) -> str:
    """The same code for programs without an event loop."""
    for module, twin in BLOCKING.items():
        text = re.sub(rf"\b{module}\b", twin, text)
    for pattern, word in BLOCKING_WORDS:
        text = re.sub(pattern, word, text)
    return text


def service_files(folder: Path) -> dict[str, str]:
    """The files of an installed service, by their names in the wheel.

    :param folder: with ``node_modules``, into which the tarball of ``npm pack`` was installed
    """
    found: dict[str, str] = {}
    for path in sorted((folder / "node_modules").rglob("*")):
        inside = path.relative_to(folder).as_posix()
        if path.is_symlink() or not path.is_file() or UNUSED.search(inside):
            continue
        found[str(path)] = f"espalier/_service/{inside}"
    return found


def generate_models(schemas: dict[str, Any], target: Path) -> None:
    """Pydantic models of all schemas."""
    _generate(schemas, target, "pydantic_v2.BaseModel")


def generate_requests(schemas: dict[str, Any], target: Path) -> None:
    """Mappings of the fields of requests, for keyword arguments: all may be left out."""
    tasks = schemas["TaskSelectionInput"]["properties"]
    for name, (source, own) in REQUESTS.items():
        fields = {field: schema for field, schema in schemas[source]["properties"].items() if field not in own}
        if source in {"RunRequest", "RolloutRequest"}:
            fields.update({field: tasks[field] for field in TASK_FIELDS})
        schemas[name] = {"type": "object", "properties": fields}
    wanted = {*REQUESTS, "DatasetRequestInput", "ModelChoiceInput", "TrainingBase"}
    while (more := wanted | {found for name in wanted for found in _references(schemas[name])}) != wanted:
        wanted = more
    rows = schemas["DatasetRequestInput"]["properties"]
    names = {
        "DatasetKindName": rows["kind"]["enum"],
        "DatasetFormatName": rows["format"]["enum"],
        "TrainingRecipeName": schemas["TrainingRequestInput"]["properties"]["recipe"]["enum"],
        "LoopRecipeName": schemas["LoopRequestInput"]["properties"]["recipe"]["enum"],
    }
    _generate({name: schemas[name] for name in schemas if name in wanted}, target, "typing.TypedDict")
    text = target.read_text(encoding="utf-8").replace(", closed=True", "")
    text += "".join(f"\n\n{name} = Literal{values}\n" for name, values in names.items())
    target.write_text(text, encoding="utf-8")


def _references(schema: Any) -> set[str]:
    if isinstance(schema, list):
        return {found for inner in schema for found in _references(inner)}
    if not isinstance(schema, dict):
        return set()
    own = {schema["$ref"].rsplit("/", 1)[1]} if isinstance(schema.get("$ref"), str) else set()
    return own | {found for inner in schema.values() for found in _references(inner)}


def _generate(schemas: dict[str, Any], target: Path, kind: str) -> None:
    for name, schema in schemas.items():
        _name(schema, name)
        _drop_bounds(schema)
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Espalier", "version": "1"},
        "paths": {},
        "components": {"schemas": schemas},
    }
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "openapi.json"
        source.write_text(json.dumps(document), encoding="utf-8")
        command = [
            *(sys.executable, "-m", "datamodel_code_generator"),
            *("--input", str(source), "--input-file-type", "openapi", "--output", str(target)),
            *("--output-model-type", kind, "--target-python-version", "3.10"),
            *("--use-title-as-name", "--enum-field-as-literal", "all", "--openapi-scopes", "schemas"),
            *("--use-standard-collections", "--use-union-operator", "--use-schema-description"),
            *("--allow-extra-fields", "--disable-timestamp", "--formatters", "builtin"),
            *("--custom-file-header", HEADER),
        ]
        subprocess.run(command, check=True)


def _drop_bounds(schema: Any) -> None:
    if isinstance(schema, list):
        for inner in schema:
            _drop_bounds(inner)
    if not isinstance(schema, dict):
        return
    for bound in BOUNDS:
        # A field may have the name of a bound.
        if not isinstance(schema.get(bound), dict):
            schema.pop(bound, None)
    for inner in schema.values():
        _drop_bounds(inner)


def _name(schema: Any, name: str) -> None:
    """Titles each object, and so names its class: its own name, or its field's behind its parent's."""
    if not isinstance(schema, dict):
        return
    if "properties" in schema:
        schema["title"] = name
    for field, inner in schema.get("properties", {}).items():
        _name(inner, name + "".join(part.capitalize() for part in field.split("_")))
    for part in ("items", "additionalProperties"):
        _name(schema.get(part), name + "Item")
    for part in ("anyOf", "oneOf", "allOf"):
        options = schema.get(part, [])
        for position, inner in enumerate(options):
            _name(inner, f"{name}{position + 1}" if len(options) > 2 else name + "Value")
