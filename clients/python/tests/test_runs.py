"""Runs over a real service."""

import gzip
import json
import math

import pytest
from conftest import EXAMPLE

from espalier import ApiError, AsyncClient, Client, EspalierError, RunFailedError, models
from espalier._dataset_folder import DatasetFolder


def test_a_run_is_followed_to_its_end_with_every_event_once(client, searched):
    events = list(searched.events())
    sequences = [event.root.sequence for event in events if isinstance(event, models.RunEvent)]
    assert sequences == sorted(set(sequences))
    ended = [
        event.root.episode
        for event in events
        if isinstance(event, models.RunEvent) and event.root.type == "episode.ended"
    ]
    assert sorted(ended) == sorted(episode.id for episode in searched.episodes())


def test_the_same_key_and_request_make_one_run(client):
    request = {"environment": EXAMPLE, "method": "react", "model": "simulated", "limit": 1}
    first = client.run(**request, idempotency_key="python-tests")
    assert client.run(**request, idempotency_key="python-tests").id == first.id
    with pytest.raises(ApiError) as refused:
        client.run(**{**request, "limit": 2}, idempotency_key="python-tests")
    assert refused.value.code == "idempotency_key_reused"


def test_a_wrong_request_names_its_field_and_the_way_out(client):
    with pytest.raises(ApiError) as refused:
        client.run("textcraf", "react", "simulated")
    assert (refused.value.status, refused.value.code, refused.value.param) == (
        400,
        "unknown_environment",
        "environment",
    )
    assert EXAMPLE in refused.value.message


def test_an_estimate_stores_nothing(client):
    before = [run.id for run in client.all_runs()]
    estimate = client.estimate(EXAMPLE, "mcts", "simulated", limit=5)
    assert estimate.model_dump()["object"] == "run_estimate"
    assert [run.id for run in client.all_runs()] == before


def test_episodes_are_rows_of_a_frame_and_what_has_no_figure_is_missing(searched):
    frame = searched.episodes_df()
    assert list(frame.index) == [episode.id for episode in searched.episodes()]
    assert frame["model_calls"].sum() == searched.report().usage.model_calls
    assert not frame["reward"].isna().any()
    assert all(value is None or math.isfinite(value) for value in frame["cost"])


def test_a_tree_is_a_graph_whose_path_is_that_of_the_trajectory(searched):
    episode = next(episode.id for episode in searched.episodes() if episode.result.success)
    tree = searched.tree(episode)
    graph = tree.to_networkx()
    assert graph.number_of_nodes() == len(tree)
    assert graph.number_of_edges() == len(tree) - 1
    assert all(
        graph.nodes[parent]["depth"] + 1 == graph.nodes[child]["depth"] for parent, child in graph.edges
    )
    path = tree.path_to()
    assert [path[0], path[-1]] == [0, tree.best]
    assert tree.nodes[tree.best].reward == 1
    steps = [step for step in searched.trajectory(episode).steps if step.source == "agent"]
    assert len(steps) == len(tree.actions_to())
    assert len(tree.to_df()) == len(tree)
    assert f"● #{tree.best}" in tree.render(depth=100)


def test_a_comparison_pairs_by_task_and_has_a_row_for_each_run(client, searched):
    single = client.run(EXAMPLE, "react", "simulated", split="train", limit=3, seed=1).wait(
        progress=False
    )
    comparison = client.compare(searched, single)
    frame = comparison.to_df()
    assert list(frame.index) == [searched.id, single.id]
    assert math.isnan(frame.loc[searched.id, "success_difference"])
    difference = comparison.runs[1].difference
    assert frame.loc[single.id, "success_difference"] == difference.success_rate.mean
    assert difference.won + difference.lost + difference.tied == 3
    assert "<table>" in comparison._repr_html_() and "prove plumbing" in searched.report()._repr_html_()


def test_a_frame_shows_the_page_of_a_run_of_a_tree_and_of_a_comparison(client, searched):
    episode = next(searched.episodes()).id
    assert client.embed(searched).url == f"{client.address}/embed/runs/{searched.id}"
    tree = client.embed(searched, episode=episode, node=1, theme="dark", height=600)
    assert tree.url == f"{client.address}/embed/runs/{searched.id}/episodes/{episode}?node=1&theme=dark"
    assert "height:600px" in tree._repr_html_() and "<script>" not in tree._repr_html_()
    pair = client.embed(searched, "run-2", address="https://espalier.example/")
    assert pair.url == f"https://espalier.example/embed/compare?runs={searched.id}%2Crun-2"
    assert 'origin === "https://espalier.example"' in pair._repr_html_()
    with pytest.raises(ValueError, match="one run"):
        client.embed(searched, "run-2", episode=episode)


def test_a_comparison_across_passports_names_the_fields_first(client, searched):
    shorter = client.run(
        EXAMPLE,
        "react",
        {"endpoint": "simulated", "id": "simulated", "max_prompt_tokens": 4000},
        split="train",
        limit=3,
    ).wait(progress=False)
    assert shorter.passport.digest != searched.passport.digest
    comparison = client.compare(searched, shorter)
    assert "model.max_prompt_tokens: 32000, 4000" in repr(comparison).split("run  ")[0]
    assert comparison._repr_html_().startswith("<p>Other passports")


def test_a_paused_run_is_an_error_with_its_reason_and_the_way_out(client):
    run = client.run(EXAMPLE, "mcts", "simulated", limit=20, limits={"tokens": 3000})
    with pytest.raises(RunFailedError, match=r"paused: .*resume"):
        run.wait(progress=False)
    assert run.cancel().refresh().status == "cancelled"


def test_a_dataset_is_downloaded_once_and_whole(searched, tmp_path):
    dataset = searched.dataset("sft", "trl").wait()
    folder = dataset.download(tmp_path / "rows", progress=False)
    names = {file.name for file in dataset.files()}
    assert {path.name for path in folder.iterdir()} == names
    data = next(folder.glob("data-*.jsonl.gz"))
    written = data.stat().st_mtime_ns
    dataset.download(folder, progress=False)
    assert data.stat().st_mtime_ns == written
    data.write_bytes(b"damaged")
    dataset.download(folder, progress=False)
    assert data.stat().st_size == next(file.bytes for file in dataset.files() if file.name == data.name)


def test_a_download_that_breaks_off_leaves_nothing_under_a_final_name(searched, tmp_path, monkeypatch):
    dataset = searched.dataset("sft", "trl").wait()
    folder = tmp_path / "rows"
    real = dataset._transport.download
    left = iter([True])

    def break_off(url, target):
        if next(left, False):
            return real(url, target)
        raise ConnectionError("connection lost")

    with monkeypatch.context() as patched:
        patched.setattr(dataset._transport, "download", break_off)
        with pytest.raises(ConnectionError):
            dataset.download(folder, progress=False)
    assert [path.name for path in folder.iterdir()] == [".partial"]
    [kept] = (folder / ".partial").iterdir()
    written = kept.stat().st_mtime_ns
    dataset.download(folder, progress=False)
    assert {path.name for path in folder.iterdir()} == {file.name for file in dataset.files()}
    assert (folder / kept.name).stat().st_mtime_ns == written


def rows_of(run, format, **fields):
    """A row of each attempt, two rows a file."""
    return run.dataset("sft", format, parameters={"min_reward": 0}, rows_per_file=2, **fields).wait(progress=False)


def content_of(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("format", ["trl", "openai"])
async def test_a_folder_with_files_of_another_dataset_is_refused_and_stays_as_it_is(address, searched, tmp_path, format):
    larger, smaller = rows_of(searched, format), rows_of(searched, format, splits={"train": 0.5, "test": 0.5})
    folder = larger.download(tmp_path / "rows", progress=False)
    before = content_of(folder)
    assert len(list(folder.glob("data-*"))) > 1
    with pytest.raises(EspalierError, match=r"holds data-00001\.jsonl.* and \d+ more like it, which trainers would read"):
        smaller.download(folder, progress=False)
    with pytest.raises(EspalierError, match="Empty the folder, or name another"):
        smaller.to_hf(folder, progress=False)
    async with AsyncClient(address) as service:
        with pytest.raises(EspalierError, match="Empty the folder, or name another"):
            await (await service.get_dataset(smaller.id)).download(folder, progress=False)
    assert content_of(folder) == before
    larger.download(folder, progress=False)
    assert content_of(folder) == before
    assert sum(len(part) for part in larger.to_hf(folder, progress=False).values()) == larger.data.rows


async def test_files_are_unpacked_for_trainers_that_read_no_gzip(address, searched, tmp_path):
    dataset = rows_of(searched, "llama-factory")
    stored = {file.name for file in dataset.files()}
    packed = {name for name in stored if name.startswith("data-")}
    names = stored - packed | {name.removesuffix(".gz") for name in packed}
    folder = dataset.download(tmp_path / "rows", progress=False)
    named = [entry["file_name"] for entry in json.loads((folder / "dataset_info.json").read_text()).values()]
    assert sorted(named) == sorted(path.name for path in folder.glob("data-*"))
    whole = content_of(folder)
    assert set(whole) == names | {".unpacked.json"}
    assert sum(content.count(b"\n") for name, content in whole.items() if name in named) == dataset.data.rows

    written = {name: (folder / name).stat().st_mtime_ns for name in names}
    dataset.download(folder, progress=False)
    assert {name: (folder / name).stat().st_mtime_ns for name in names} == written
    (folder / named[0]).write_text("damaged")
    dataset.download(folder, progress=False)
    assert content_of(folder) == whole

    # As an earlier version of this package left it.
    for name in named:
        (folder / f"{name}.gz").write_bytes(gzip.compress(b"other rows"))
    (folder / ".unpacked.json").unlink()
    dataset.download(folder, progress=False)
    assert content_of(folder) == whole
    async with AsyncClient(address) as service:
        other = await (await service.get_dataset(dataset.id)).download(tmp_path / "other", progress=False)
    assert content_of(other) == whole


async def test_addresses_that_expire_during_a_download_are_fetched_again(address, searched, tmp_path, monkeypatch):
    dataset = rows_of(searched, "trl")
    real = dataset.files()
    # The service refuses a changed address as it refuses an expired one.
    expired = [file.model_copy(update={"url": file.url.replace("expires=", "expires=1")}) for file in real]
    answers = iter([[*real[:2], *expired[2:]]])
    monkeypatch.setattr(dataset, "files", lambda: next(answers, None) or real)
    folder = dataset.download(tmp_path / "rows", progress=False)
    assert {path.name for path in folder.iterdir()} == {file.name for file in real}

    async with AsyncClient(address) as service:
        same = await service.get_dataset(dataset.id)

        async def files():
            return next(answers, None) or real

        answers = iter([expired])
        monkeypatch.setattr(same, "files", files)
        assert content_of(await same.download(tmp_path / "same", progress=False)) == content_of(folder)

    monkeypatch.setattr(dataset, "files", lambda: expired)
    with pytest.raises(ApiError, match="invalid_signature|403"):
        dataset.download(tmp_path / "refused", progress=False)


def test_files_of_a_broken_download_of_another_dataset_are_not_taken(searched, tmp_path):
    dataset = rows_of(searched, "trl")
    folder = dataset.download(tmp_path / "rows", progress=False)
    whole = content_of(folder)
    (folder / ".partial").mkdir()
    for name in whole:
        (folder / ".partial" / name).write_bytes(b"of another dataset")
    dataset.download(folder, progress=False)
    assert content_of(folder) == whole


def test_two_processes_may_download_a_dataset_into_one_folder(searched, tmp_path):
    for format in ("trl", "llama-factory"):
        dataset = rows_of(searched, format)
        files, place = dataset.files(), tmp_path / format
        first, second = (DatasetFolder(place, files, reads_gzip=format == "trl") for _ in range(2))
        for file in files:
            dataset._transport.download(file.url, first.place_of(file))
            first.check(file)
            assert second.has(file)
        first.finish()
        whole = content_of(place)
        second.finish()
        assert content_of(place) == whole


async def test_the_asynchronous_client_says_the_same(address, searched):
    async with AsyncClient(address) as client:
        run = await client.run(EXAMPLE, "react", "simulated", limit=2)
        await run.wait(timeout=120)
        assert run.status == "succeeded"
        assert [episode.status async for episode in run.episodes()] == [
            episode.status for episode in Client(address).get_run(run.id).episodes()
        ]
        again = await client.get_run(searched.id)
        assert (await again.report()).success_rate == searched.report().success_rate
        episode = next(searched.episodes()).id
        assert (await again.tree(episode)).data == searched.tree(episode).data
