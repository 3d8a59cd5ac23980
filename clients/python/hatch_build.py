"""Builds `espalier.models` from `schemas.data.json`, the schemas of the API's OpenAPI document."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

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


class ModelsHook(BuildHookInterface):
    """Adds the module to a wheel, or writes it into the sources that an editable install names."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel":
            return
        root = Path(self.root)
        schemas = json.loads((root / "schemas.data.json").read_text(encoding="utf-8"))
        if version == "editable":
            generate_models(schemas, root / "src/espalier/models.py")
            return
        self._folder = tempfile.TemporaryDirectory()
        made = Path(self._folder.name) / "models.py"
        generate_models(schemas, made)
        build_data["force_include"][str(made)] = "espalier/models.py"


def generate_models(schemas: dict[str, Any], target: Path) -> None:
    for name, schema in schemas.items():
        _name(schema, name)
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
            *("--output-model-type", "pydantic_v2.BaseModel", "--target-python-version", "3.10"),
            *("--use-title-as-name", "--enum-field-as-literal", "all", "--openapi-scopes", "schemas"),
            *("--use-standard-collections", "--use-union-operator", "--use-schema-description"),
            *("--allow-extra-fields", "--disable-timestamp", "--formatters", "builtin"),
            *("--custom-file-header", HEADER),
        ]
        subprocess.run(command, check=True)


def _name(schema: Any, name: str) -> None:
    """Titles each object, and so names its class: its own name, or its field's behind its parent's."""
    if not isinstance(schema, dict):
        return
    if "properties" in schema:
        schema["title"] = name
    for bound in BOUNDS:
        schema.pop(bound, None)
    for field, inner in schema.get("properties", {}).items():
        _name(inner, name + "".join(part.capitalize() for part in field.split("_")))
    for part in ("items", "additionalProperties"):
        _name(schema.get(part), name + "Item")
    for part in ("anyOf", "oneOf", "allOf"):
        options = schema.get(part, [])
        for position, inner in enumerate(options):
            _name(inner, f"{name}{position + 1}" if len(options) > 2 else name + "Value")
