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


@pytest.fixture
def short_pages(monkeypatch):
    for transport in ("_sync_transport", "_async_transport"):
        monkeypatch.setattr(f"espalier.{transport}.MOST_ITEMS", 3)


def test_a_list_is_read_to_its_end_or_its_limit_over_pages_of_any_size(client, searched, short_pages):
    first = next(searched.episodes()).id
    names = [f"paged-{index}" for index in range(7)]
    for name in names:
        client.judge(searched.id, first, name, 1.0)
    lists = {
        "judgements": lambda **query: [each.name for each in client.judgements(searched.id, **query)],
        "tasks": lambda **query: [task.id for task in client.tasks(EXAMPLE, **query)],
        "runs": lambda **query: [run.id for run in client.runs(archived="any", **query)],
        "all runs": lambda **query: [run.id for run in client.all_runs(archived="any", **query)],
        "episodes": lambda **query: [each.id for each in searched.episodes(**query)],
    }
    for name, read in lists.items():
        found = read(limit=None)
        assert len(set(found)) == len(found) > 0, name
        for limit in (0, 1, 2, 3, 4, 6, 7, 8):
            assert read(limit=limit) == found[:limit], (name, limit)
    assert lists["judgements"]() == names
    assert lists["judgements"](episode=first, kind="person") == names
    assert lists["judgements"](kind="scorer") == []
    assert [run.id for run in client.all_runs()] == [run.id for run in client.runs(limit=None)]
    assert [each.id for each in searched.episodes(order="desc")] == sorted(
        (each.id for each in searched.episodes()), reverse=True
    )
    for name in names:
        client.remove_judgement(searched.id, first, name)


def test_tasks_are_all_tasks_unless_there_is_a_limit(client):
    tasks = [task.id for task in client.tasks(EXAMPLE)]
    [facts] = [each for each in client.environments() if each.id == EXAMPLE]
    assert len(set(tasks)) == len(tasks) == sum(facts.splits.values())
    assert [task.id for task in client.tasks(EXAMPLE, limit=25, after=tasks[4])] == tasks[5:30]


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


def test_passages_are_read_page_by_page_under_all_filters(client, searched):
    other = client.run(EXAMPLE, "act", "simulated", split="train", limit=1).wait(progress=False)
    wanted = {"run": [searched.id, other.id], "kind": "observation", "environment": EXAMPLE}
    whole = client.search("craft", limit=1000, **wanted)
    assert {hit.run for hit in whole.data} == {searched.id, other.id} and not whole.has_more
    found, after = [], None
    while True:
        page = client.search("craft", limit=2, **wanted, **({} if after is None else {"after": after}))
        found += page.data
        if not page.has_more:
            break
        after = page.last_id
    assert [hit.id for hit in found] == [hit.id for hit in whole.data]
    assert client.search("craft", run=searched.id, method="act").data == []
    assert client.search("craft", run=searched.id, outcome="cancelled").data == []


async def test_the_asynchronous_client_reads_the_same(address, client):
    async with AsyncClient(address) as service:
        assert [each.id for each in await service.endpoint_details()] == [each.id for each in client.endpoint_details()]
        assert [task.id for task in await service.tasks(EXAMPLE, limit=3)] == [
            task.id for task in client.tasks(EXAMPLE, limit=3)
        ]
        assert await service.trainings() == []


async def test_the_asynchronous_client_reads_lists_over_several_pages(address, client, searched, short_pages):
    async with AsyncClient(address) as service:
        tasks = [task.id for task in await service.tasks(EXAMPLE)]
        assert tasks == [task.id for task in client.tasks(EXAMPLE)]
        assert [task.id for task in await service.tasks(EXAMPLE, limit=7)] == tasks[:7]
        run = await service.get_run(searched.id)
        assert [each.id async for each in run.episodes()] == [each.id for each in searched.episodes()]
        first = client.search("craft", run=searched.id, limit=1)
        page = await service.search("inventory", run=searched.id, limit=1, after=first.last_id)
        assert page == client.search("inventory", run=searched.id, limit=1, after=first.last_id)


async def test_the_asynchronous_client_builds_and_downloads_a_dataset(address, searched, tmp_path):
    async with AsyncClient(address) as service:
        run = await service.get_run(searched.id)
        rows = await (await run.dataset("sft", "trl")).wait(timeout=60)
        folder = await rows.download(tmp_path, progress=False)
        assert {path.name for path in folder.iterdir()} == {file.name for file in await rows.files()}
        assert searched.id in [each.id async for each in service.all_runs()]
        assert rows.id in [each.id for each in await service.datasets()]
