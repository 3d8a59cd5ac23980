"""An argument beats the environment when a client looks for its service."""

import json
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from espalier import AsyncClient, Client, ServiceUnreachableError, _service_address
from espalier._service_address import find_service


@pytest.fixture
def url(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("ESPALIER_URL", "http://127.0.0.1:9")
    monkeypatch.delenv("ESPALIER_API_KEY", raising=False)
    return "http://127.0.0.1:9"


def test_the_service_of_the_environment_is_taken_without_arguments(url: str) -> None:
    assert find_service(None, None, None) == (url, None)


def test_a_folder_beats_the_service_of_the_environment(url: str, tmp_path: Path) -> None:
    assert find_service(None, None, str(tmp_path)) is None


def test_an_address_beats_the_service_of_the_environment(url: str) -> None:
    assert find_service("http://127.0.0.1:7", "esp_1", None) == ("http://127.0.0.1:7", "esp_1")


def test_an_address_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="two places"):
        find_service("http://127.0.0.1:7", None, str(tmp_path))


@pytest.fixture
def lock(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """Holds the folder, as a service does."""
    with closing(sqlite3.connect(tmp_path / "lock.db", isolation_level=None)) as held:
        held.execute("BEGIN EXCLUSIVE")
        yield held


def announce(folder: Path, address: str | None, pid: int = 1) -> None:
    holder = {"pid": pid, "address": address, "started_at": "2026-01-01T00:00:00.000Z", "word": "esp_folder"}
    (folder / "service.json").write_text(json.dumps(holder))


@pytest.mark.parametrize("pid", [1, os.getpid(), 2**22 + 1])
def test_a_service_that_died_is_not_found_whichever_process_has_its_pid(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, lock: sqlite3.Connection, pid: int
) -> None:
    monkeypatch.delenv("ESPALIER_API_KEY", raising=False)
    announce(tmp_path, "http://127.0.0.1:7", pid)
    assert find_service(None, None, str(tmp_path)) == ("http://127.0.0.1:7", "esp_folder")
    lock.close()
    assert find_service(None, None, str(tmp_path)) is None
    (tmp_path / "lock.db").unlink()
    assert find_service(None, None, str(tmp_path)) is None


@pytest.mark.parametrize("is_announced", [True, False])
def test_a_service_that_starts_is_waited_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, lock: sqlite3.Connection, is_announced: bool
) -> None:
    if is_announced:
        announce(tmp_path, None)
    monkeypatch.setattr(time, "sleep", lambda _: announce(tmp_path, "http://127.0.0.1:7"))
    assert find_service(None, "esp_1", str(tmp_path)) == ("http://127.0.0.1:7", "esp_1")


def test_a_holder_that_ends_before_it_serves_is_not_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, lock: sqlite3.Connection
) -> None:
    announce(tmp_path, None)
    monkeypatch.setattr(time, "sleep", lambda _: lock.close())
    assert find_service(None, None, str(tmp_path)) is None


@pytest.mark.parametrize(("is_announced", "who"), [(True, "process 7,"), (False, "another process,")])
async def test_a_holder_that_serves_nothing_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, lock: sqlite3.Connection, is_announced: bool, who: str
) -> None:
    if is_announced:
        announce(tmp_path, None, 7)
    monkeypatch.setattr(_service_address, "STARTING_SECONDS", 0.0)
    for kind in (Client, AsyncClient):
        with pytest.raises(ServiceUnreachableError, match=f"in use by {who} which serves nothing"):
            kind(folder=str(tmp_path))
