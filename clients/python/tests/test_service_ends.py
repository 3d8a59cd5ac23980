"""A service that was started here ends with its process, however that dies."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from espalier import Client
from espalier._service_address import is_locked
from espalier.errors import EspalierError

SCRIPT = """
import os, signal, subprocess, sys, time
from espalier import Client
client = Client(folder=sys.argv[1])
client.run("textcraft", {"id": "mcts", "iterations": 30}, "simulated", split="train", limit=40)
fork = 0
if sys.argv[2] == "fork":
    fork = os.fork()
    if fork == 0:
        time.sleep(600)
        os._exit(0)
other = subprocess.Popen(["sleep", "600"], close_fds=False)
print(fork or other.pid, other.pid, flush=True)
signal.pause()
"""

# On a busy machine the other's service may need longer to start.
TOGETHER = """
import sys
from espalier import Client, _service_address
_service_address.STARTING_SECONDS = 120
print(Client(folder=sys.argv[1]).address, flush=True)
input()
"""


@pytest.mark.parametrize("with_fork", ["fork", "alone"])
def test_it_commits_and_ends_when_the_process_is_killed_whose_children_live_on(tmp_path, with_fork):
    words = [sys.executable, "-c", SCRIPT, str(tmp_path), with_fork]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        children = [int(each) for each in process.stdout.readline().split()]
        process.kill()
        process.wait()
        process.stdout.close()
    try:
        assert json.loads((tmp_path / "service.json").read_text())["address"]
        while is_locked(tmp_path):
            time.sleep(0.1)
        # A service that dies leaves its file.
        assert not (tmp_path / "service.json").exists()
    finally:
        for each in set(children):
            os.kill(each, signal.SIGKILL)


def test_clients_that_open_a_folder_at_once_share_one_service(tmp_path):
    words = [sys.executable, "-c", TOGETHER, str(tmp_path)]
    opened = [subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert len({each.stdout.readline() for each in opened} - {""}) == 1
    for each in opened:
        each.communicate("\n")
        assert each.returncode == 0


def test_a_service_that_cannot_start_says_why(tmp_path):
    (tmp_path / "folder").write_text("")
    with pytest.raises(EspalierError, match="did not start"):
        Client(folder=str(tmp_path / "folder"))
