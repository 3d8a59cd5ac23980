"""Finds the service that a client is for."""

from __future__ import annotations

import json
import os
from pathlib import Path


def find_service(address: str | None, key: str | None, folder: str) -> tuple[str, str | None] | None:
    """
    :returns: an address with its key: the one that is given, that of ``ESPALIER_URL``, or that of the service that holds the
        folder; None where there is none
    """
    key = key or os.environ.get("ESPALIER_API_KEY")
    address = address or os.environ.get("ESPALIER_URL")
    if address is not None:
        return address, key
    return read_service_file(Path(folder), key)


def read_service_file(folder: Path, key: str | None) -> tuple[str, str | None] | None:
    """What the service that holds a data folder says of itself; None where its process is gone."""
    try:
        facts = json.loads((folder / "service.json").read_text())
    except FileNotFoundError:
        return None
    try:
        os.kill(int(facts["pid"]), 0)
    except ProcessLookupError:
        return None
    # The word proves that the caller can read the folder, where the service asks for keys.
    return facts["address"], key or facts.get("word")
