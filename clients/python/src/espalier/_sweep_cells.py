"""The runs of a sweep: each environment with each method, model and seed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ._run_request import run_body
from .errors import EspalierError

Choice = str | Mapping[str, Any]


@dataclass(frozen=True)
class Cell:
    name: str
    body: dict[str, Any]
    idempotency_key: str


def cells_of(
    name: str,
    environments: Sequence[Choice],
    methods: Sequence[Choice],
    models: Sequence[Choice],
    seeds: Sequence[int],
    settings: Mapping[str, Any],
) -> list[Cell]:
    """:raises EspalierError: if two runs would be the same"""
    cells: dict[str, Cell] = {}
    for environment in environments:
        place = {"environment": environment} if isinstance(environment, str) else dict(environment)
        for method in methods:
            for model in models:
                for seed in seeds:
                    label = f"{_label(method)} · {place['environment']} · {_label(model)} · seed {seed}"
                    extra = {key: value for key, value in place.items() if key != "environment"}
                    own: dict[str, Any] = {"name": label[:200], "experiment": name, **settings, **extra, "seed": seed}
                    body = run_body(place["environment"], method, model, own)
                    digest = hashlib.sha256(json.dumps([name, body], sort_keys=True).encode()).hexdigest()[:32]
                    if digest in cells:
                        raise EspalierError(f'Two runs of the sweep "{name}" are the same: {label}. Name each choice once.')
                    cells[digest] = Cell(label, body, f"python-sweep-{digest}")
    return list(cells.values())


def _label(choice: Choice) -> str:
    if isinstance(choice, str):
        return choice
    rest = [f"{key}={json.dumps(value)}" for key, value in choice.items() if key not in ("id", "endpoint")]
    return " ".join([str(choice.get("id", "")), *rest])
