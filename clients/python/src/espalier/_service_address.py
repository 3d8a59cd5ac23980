"""Finds the service that a client is for."""

from __future__ import annotations

import json
import os
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from .errors import ServiceUnreachableError

USUAL_FOLDER = ".espalier"

STARTING_SECONDS = 10.0
"""A process that opens the folder for longer serves nothing."""


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
    """The address and the key of the service that holds a data folder, once it answers; None if no process holds it.

    :raises ServiceUnreachableError: if the holder serves nothing
    """
    deadline = time.monotonic() + STARTING_SECONDS
    facts: dict[str, Any] = {}
    while is_locked(folder):
        try:
            facts = json.loads((folder / "service.json").read_text())
        except FileNotFoundError:
            facts = {}
        if facts.get("address") is not None:
            # The word proves that the caller can read the folder, where the service asks for keys.
            return facts["address"], key or facts.get("word")
        if time.monotonic() > deadline:
            who = f"process {facts['pid']}" if "pid" in facts else "another process"
            raise ServiceUnreachableError(
                f"The data folder {folder} is in use by {who}, which serves nothing. "
                "Wait until it is done, end it, or choose another folder."
            )
        time.sleep(0.1)
    return None


def is_locked(folder: Path) -> bool:
    """Whether a process holds the folder: its lock ends with it, while a pid may be another process's by now."""
    import sqlite3

    place = f"{(folder / 'lock.db').absolute().as_uri()}?mode=ro"
    try:
        with closing(sqlite3.connect(place, uri=True, timeout=0)) as lock:
            lock.execute("SELECT count(*) FROM sqlite_master")
    except sqlite3.OperationalError as error:
        return "locked" in str(error)
    return False
