"""An argument beats the environment when a client looks for its service."""

from pathlib import Path

import pytest
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
