"""The calls of both clients for models, loops, scores and searches, over a real service."""

import inspect

import pytest
from conftest import EXAMPLE

from espalier import ApiError, AsyncClient, Client


def test_both_clients_have_the_same_calls_with_the_same_arguments():
    def calls(client):
        found = inspect.getmembers(client, inspect.isfunction)
        return {name: list(inspect.signature(call).parameters) for name, call in found if name[0] != "_"}

    assert calls(Client) == calls(AsyncClient)


def test_lists_of_a_new_service_are_read(client):
    assert client.trainings() == client.loops() == client.registered_models() == client.servers() == []
    assert client.imports() == []
    assert "simulated" in [endpoint.id for endpoint in client.endpoint_details()]


def test_a_refused_training_and_loop_name_the_field(client):
    with pytest.raises(ApiError) as refused:
        client.train({"registered": "model-none"}, ["ds-none"], "sft")
    assert refused.value.param is not None
    with pytest.raises(ApiError) as refused:
        client.plan_loop("rft", EXAMPLE, {"registered": "model-none"})
    assert refused.value.param is not None
    with pytest.raises(ApiError):
        client.get_loop("loop-none")


def test_an_episode_is_read_by_its_calls_and_nodes(client, searched):
    episode = next(searched.episodes()).id
    calls = client.calls(searched.id, episode).calls
    assert len(calls) > 0
    assert client.node(searched.id, episode, 0).node.depth == 0


def test_runs_are_ranked_and_searched(client, searched):
    board = client.leaderboard(runs=[searched.id])
    assert [entry.method for entry in board.entries] == ["mcts"]
    assert client.scores(searched.id) == []
    assert len(client.search("inventory", run=searched.id, limit=3).data) <= 3


async def test_the_asynchronous_client_reads_the_same(address, client):
    async with AsyncClient(address) as service:
        assert [each.id for each in await service.endpoint_details()] == [each.id for each in client.endpoint_details()]
        assert [task.id for task in await service.tasks(EXAMPLE, limit=3)] == [
            task.id for task in client.tasks(EXAMPLE, limit=3)
        ]
        assert await service.trainings() == []


async def test_the_asynchronous_client_builds_and_downloads_a_dataset(address, searched, tmp_path):
    async with AsyncClient(address) as service:
        run = await service.get_run(searched.id)
        rows = await (await run.dataset("sft", "trl")).wait(timeout=60)
        folder = await rows.download(tmp_path, progress=False)
        assert {path.name for path in folder.iterdir()} == {file.name for file in await rows.files()}
        assert searched.id in [each.id async for each in service.all_runs()]
        assert rows.id in [each.id for each in await service.datasets()]
