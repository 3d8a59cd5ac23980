"""Writes src/espalier/models.py from the OpenAPI document of a service.

    python generate_models.py http://127.0.0.1:8080/openapi.json    # or a file; --check compares and changes nothing

It needs ``datamodel-code-generator`` (requirements-development.txt has the version).
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path
from typing import Any

MODELS = Path(__file__).parent / "src/espalier/models.py"
HEADER = '"""Shapes of the HTTP API, generated from its OpenAPI document by generate_models.py. Not edited by hand."""'

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
"""What the service checks itself: without them types stay plain."""


def read_document(source: str) -> dict:
    if source.startswith(("http://", "https://")):
        with urllib.request.urlopen(source, timeout=60) as answer:
            return json.load(answer)
    return json.loads(Path(source).read_text())


def name_schemas(document: dict) -> None:
    """Gives each object a title, and so a class name: its own, or that of the field that holds it behind its parent's."""
    for name, schema in document["components"]["schemas"].items():
        _name(schema, name)


def _name(schema: Any, name: str) -> None:
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


def generate(document: dict) -> str:
    name_schemas(document)
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "openapi.json", Path(folder) / "models.py"
        source.write_text(json.dumps(document))
        command = [
            *(sys.executable, "-m", "datamodel_code_generator"),
            *("--input", str(source), "--input-file-type", "openapi", "--output", str(target)),
            *("--output-model-type", "pydantic_v2.BaseModel", "--target-python-version", "3.11"),
            *("--use-title-as-name", "--enum-field-as-literal", "all", "--openapi-scopes", "schemas"),
            *("--use-standard-collections", "--use-union-operator", "--use-schema-description"),
            *(
                "--allow-extra-fields",
                "--disable-timestamp",
                "--formatters",
                "builtin",
                "--custom-file-header",
                HEADER,
            ),
        ]
        subprocess.run(command, check=True)
        return target.read_text()


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("source", help="the address or file of openapi.json")
    parser.add_argument(
        "--check", action="store_true", help="fail where the file is not what would be written"
    )
    arguments = parser.parse_args()
    text = generate(read_document(arguments.source))
    if not arguments.check:
        MODELS.write_text(text)
        return 0
    if MODELS.read_text() == text:
        return 0
    print(f"{MODELS} is not what the API says. Write it again: python generate_models.py {arguments.source}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
