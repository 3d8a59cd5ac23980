"""A service that all tests share: the one of ESPALIER_URL, or one that is started over a folder of its own."""

import os

import pytest

from espalier import Client, start_service

#: The environment of these tests: pure, and played without data.
EXAMPLE = "textcraft"


@pytest.fixture(scope="session")
def address(tmp_path_factory):
    given = os.environ.get("ESPALIER_URL")
    if given is not None:
        yield given
        return
    service = start_service(tmp_path_factory.mktemp("service"))
    yield service.address
    service.stop()


@pytest.fixture(scope="session")
def client(address):
    with Client(address) as made:
        yield made


@pytest.fixture(scope="session")
def searched(client):
    """A run of mcts that has ended."""
    settings = {"split": "train", "limit": 3, "name": "searched", "seed": 1}
    return client.run(
        EXAMPLE, {"id": "mcts", "iterations": 3, "samples": 2}, "simulated", **settings
    ).wait(progress=False)
