"""Finds the service that a client is for."""

from __future__ import annotations

import json
import os
from pathlib import Path


USUAL_FOLDER = ".espalier"


def find_service(address: str | None, key: str | None, folder: str | None) -> tuple[str, str | None] | None:
    """
    :param folder: beats ``ESPALIER_URL``; None: the usual one, unless ``ESPALIER_URL`` names a service
    :returns: the address of a service with its key: the one that is given, that of ``ESPALIER_URL``, or that of the service
        that holds the folder; None if there is none
    :raises ValueError: if an address and a folder are given
    """
    if address is not None and folder is not None:
        raise ValueError("An address and a folder are two places: give one of them.")
    key = key or os.environ.get("ESPALIER_API_KEY")
    if folder is None:
        address = address or os.environ.get("ESPALIER_URL") or None
    if address is not None:
        return address, key
    return read_service_file(Path(folder or USUAL_FOLDER), key)


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
