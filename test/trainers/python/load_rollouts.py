"""The fields of the classes that trainers by reinforcement publish, and rows in Tinker's own. A job: {format, rows}."""

import ast
import sys
from pathlib import Path

import rows

PLACES = {
    "verl": ("verl/experimental/agent_loop/agent_loop.py", "AgentLoopOutput"),
    "skyrl": ("skyrl/train/generators/base.py", "GeneratorOutput"),
}


def published(module, name):
    """The annotated fields of a class, from its source: the module itself needs a GPU's libraries."""
    folder = next(Path(path) for path in sys.path if (Path(path) / module).exists())
    tree = ast.parse((folder / module).read_text())
    found = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name)
    return [node.target.id for node in found.body if isinstance(node, ast.AnnAssign)]


def load(job):
    if job["format"] in PLACES:
        return published(*PLACES[job["format"]])
    from tinker import types

    loaded = []
    for row in job["rows"]:
        datum = types.Datum(
            model_input=types.ModelInput.from_ints(row["tokens"]),
            loss_fn_inputs={name: row[name] for name in ("target_tokens", "logprobs", "advantages")},
        )
        inputs = {name: tensor.data for name, tensor in datum.loss_fn_inputs.items()}
        loaded.append({"tokens": datum.model_input.to_ints(), **{name: list(data) for name, data in inputs.items()}})
    return loaded


rows.work(load)
