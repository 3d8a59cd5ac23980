"""The command: the one of the environment, of the project's npm packages, of the wheel, or of PATH."""

import sys

import pytest

from espalier import ServiceNotStartedError, _bundled_service
from espalier.service import find_command


@pytest.fixture
def nowhere(tmp_path, monkeypatch):
    monkeypatch.delenv("ESPALIER_COMMAND", raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(_bundled_service, "ENTRY", tmp_path / "absent.mjs")
    return tmp_path


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def test_the_project_s_own_comes_before_the_wheel_s_and_that_of_path_last(nowhere, monkeypatch):
    with pytest.raises(ServiceNotStartedError, match="no command espalier"):
        find_command()
    found = write(nowhere / "bin/espalier", "#!/usr/bin/env node\n")
    assert find_command() == [str(found)]
    entry = write(nowhere / "espalier.mjs", "")
    monkeypatch.setattr(_bundled_service, "ENTRY", entry)
    monkeypatch.setenv("ESPALIER_NODE", "/opt/node")
    assert find_command() == ["/opt/node", "--max-semi-space-size=64", str(entry)]
    write(nowhere / "node_modules/.bin/espalier", "#!/usr/bin/env node\n")
    assert find_command() == ["node_modules/.bin/espalier"]
    monkeypatch.setenv("ESPALIER_COMMAND", "node cli/espalier.ts")
    assert find_command() == ["node", "cli/espalier.ts"]


def test_a_script_of_python_with_the_same_name_is_not_the_command(nowhere):
    write(nowhere / "bin/espalier", f"#!{sys.executable}\n# python\n")
    with pytest.raises(ServiceNotStartedError):
        find_command()


def test_programs_in_python_run_with_this_python_unless_another_is_named(monkeypatch):
    monkeypatch.delenv("ESPALIER_PYTHON", raising=False)
    assert _bundled_service.service_environment()["ESPALIER_PYTHON"] == sys.executable
    monkeypatch.setenv("ESPALIER_PYTHON", "python3.13")
    assert _bundled_service.service_environment()["ESPALIER_PYTHON"] == "python3.13"
