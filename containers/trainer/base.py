"""The name of the model that a job trains, as `from_pretrained` takes it: never a local path in place of a hub's name."""

import os
import re
from typing import Any

from progress import TrainingError

# The hub's own rule for names. Libraries take a name for a folder if there is one of that name.
_PART = r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,94}[A-Za-z0-9_])?"
_HUB_ID = re.compile(rf"{_PART}/{_PART}")
_REVISION = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._+-]*(?:/[A-Za-z0-9_][A-Za-z0-9._+-]*)*")


def name_of(base: dict[str, Any]) -> str:
    """The folder of the base, or its name on the hub. Raises a refusal for a name that could be read as a path."""
    folder = base.get("folder")
    if folder is not None:
        if not os.path.isabs(folder):
            raise TrainingError("refused", f"base.folder must be an absolute path: {folder}")
        return folder
    name, revision = base["hub"], base.get("revision")
    if not _HUB_ID.fullmatch(name) or ".." in name or "--" in name:
        raise TrainingError("refused", f"base.hub must be the name of a model on the hub, owner/name: {name!r}")
    if revision is not None and (not _REVISION.fullmatch(revision) or ".." in revision):
        raise TrainingError("refused", f"base.revision must be a branch, a tag or a commit: {revision!r}")
    if os.path.lexists(name):
        raise TrainingError(
            "refused", f"base.hub {name} is also a folder in {os.getcwd()}: start the trainer in an empty folder."
        )
    return name
