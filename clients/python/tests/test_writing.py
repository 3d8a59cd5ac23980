"""Labels, endpoints, imports, sweeps and rows of a run in progress, over a real service, by both clients."""

import json
import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest
from conftest import EXAMPLE

from espalier import ApiError, AsyncClient, EspalierError, models
from espalier._import_rows import MOST_BYTES, bodies_of
from espalier.streams import RunRows

ROW = {
    "messages": [
        {"role": "system", "content": "Craft."},
        {"role": "user", "content": "Goal: craft 1 oak planks."},
        {"role": "assistant", "content": "Action: get 1 oak log"},
        {"role": "user", "content": "Got 1 oak log"},
        {"role": "assistant", "content": "Action: craft 4 oak planks using 1 oak log"},
    ],
}
ENDPOINT = {"kind": "openai", "base_url": "http://127.0.0.1:9/v1"}


def test_runs_and_datasets_are_labelled(client, searched):
    assert searched.label(add_tags=["kept"], note="The first.").data.request.tags == ["kept"]
    assert [run.id for run in client.runs(tag="kept")] == [searched.id]
    assert client.label_run(searched.id, remove_tags=["kept"], note=None).request.tags is None
    rows = searched.dataset("sft", "trl").wait(progress=False)
    assert rows.label(name="rows").data.name == "rows"
    assert client.label_dataset(rows.id, archived=True).archived_at is not None
    client.delete_dataset(rows.id)
    with pytest.raises(ApiError) as refused:
        client.get_dataset(rows.id)
    assert refused.value.status == 404


def test_endpoints_are_added_changed_tested_and_removed(client):
    assert client.add_endpoint("closed", ENDPOINT).id == "closed"
    changed = client.change_endpoint("closed", {**ENDPOINT, "base_url": "http://127.0.0.1:9/v2"})
    assert "v2" in changed.model_dump_json()
    answer = client.test_endpoint("closed", model="none")
    assert not answer.ok and answer.error is not None
    client.remove_endpoint("closed")
    with pytest.raises(ApiError):
        client.endpoint("closed")


def test_rows_are_imported_from_a_file_and_in_several_bodies(client, tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join([json.dumps(ROW), "[]"]), encoding="utf-8")
    settings = {"environment": EXAMPLE, "reward": 1.0, "progress": False}
    made = client.import_trajectories(path, "openai", name="from-a-file", **settings)
    assert (made.trajectories, made.rejected, made.name) == (1, 1, "from-a-file")
    assert client.rejections(made.id)[0].reason
    assert client.label_import(made.id, tags=["old"]).tags == ["old"]
    long = {"messages": [*ROW["messages"][:3], {"role": "user", "content": "x" * (MOST_BYTES // 2)}, ROW["messages"][4]]}
    several = client.import_trajectories([long] * 3, "openai", **settings)
    assert (several.trajectories, several.status) == (3, "complete")
    client.delete_import(several.id)
    assert several.id not in [each.id for each in client.imports(archived="any")]


def test_all_rejected_rows_are_read(client):
    made = client.import_trajectories([ROW, *[{}] * 120], "openai", environment=EXAMPLE, progress=False)
    assert made.rejected == 120
    assert [each.row for each in client.rejections(made.id)] == list(range(2, 122))
    assert [each.row for each in client.rejections(made.id, limit=7)] == list(range(2, 9))


@pytest.mark.parametrize("sign", "\u2028\u2029\x85")
def test_a_row_with_a_line_separator_of_unicode_stays_whole(sign, tmp_path):
    rows = [{"text": f"one{sign}two"}, {"text": sign}]
    path = tmp_path / "rows.jsonl"
    text = "\r\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    path.write_text(text + "\n\n", encoding="utf-8", newline="")
    [(lines, first, more)] = bodies_of(path)
    assert ([json.loads(line) for line in lines.split("\n")], first, more) == (rows, 0, False)


def test_events_with_a_line_separator_of_unicode_are_read(client):
    name = "one\u2028two\x85three"
    run = client.run(EXAMPLE, "act", "simulated", split="train", limit=1, name=name)
    shown = [message for message in run.events() if isinstance(message, models.Run)]
    assert shown and {message.request.name for message in shown} == {name}
    client.delete_run(run.id)


def test_bodies_of_rows_are_bounded_and_number_their_rows():
    bodies = list(bodies_of([{"text": "x" * 1_000_000}] * 7))
    assert [(lines.count("\n") + 1, first, more) for lines, first, more in bodies] == [
        (2, 0, True),
        (2, 2, True),
        (2, 4, True),
        (1, 6, False),
    ]


def test_a_sweep_plays_every_combination_once(client):
    wanted = {
        "environments": [{"environment": EXAMPLE, "split": "train", "limit": 1}],
        "methods": ["act", {"id": "mcts", "iterations": 2, "samples": 2}],
        "models": ["simulated"],
        "seeds": [0, 1],
    }
    runs = client.sweep("python-sweep", **wanted, parallel=2, progress=False)
    assert [(run.data.request.method.id, run.data.request.seed) for run in runs] == [
        ("act", 0),
        ("act", 1),
        ("mcts", 0),
        ("mcts", 1),
    ]
    assert {run.status for run in runs} == {"succeeded"}
    assert [run.id for run in client.sweep("python-sweep", **wanted, progress=False)] == [run.id for run in runs]
    board = client.leaderboard(experiment="python-sweep")
    assert {entry.method for entry in board.entries} == {"act", "mcts"}
    with pytest.raises(EspalierError, match="are the same"):
        client.sweep("twice", **{**wanted, "methods": ["act", "act"]})


def test_rows_come_while_a_run_is_played(client):
    run = client.run(EXAMPLE, "react", "simulated", split="train", limit=3, max_parallel=1)
    stream = run.stream_rows()
    first = next(stream)
    assert [message["role"] for message in first["messages"]][-1] in {"assistant", "user"}
    assert any(message["role"] == "assistant" for message in first["messages"])
    rows = [first, *stream]
    assert {row["episode"] for row in rows} == {episode.id for episode in run.episodes()}
    solved = list(run.stream_rows(min_reward=1))
    assert [row["episode"] for row in solved] == [row["episode"] for row in rows if row["reward"] == 1]


def test_an_iterable_dataset_has_the_rows_of_the_stream_in_other_processes_too(searched):
    rows = list(searched.stream_rows())
    assert rows and list(searched.to_iterable(min_reward=1)) == [row for row in rows if row["reward"] == 1]
    dataset = searched.to_iterable()
    assert list(dataset) == list(dataset) == rows
    for method in ("fork", "spawn"):
        with ProcessPoolExecutor(1, mp_context=get_context(method)) as pool:
            assert pool.submit(list, dataset).result(60) == rows


def test_a_pickled_stream_of_rows_holds_its_key_unless_the_environment_does(monkeypatch):
    monkeypatch.delenv("ESPALIER_API_KEY", raising=False)
    rows = RunRows("http://127.0.0.1:9", "esp_secret", 60, "run-1", None)
    packed = pickle.dumps(rows)
    assert pickle.dumps(pickle.loads(packed)) == packed and b"esp_secret" in packed
    monkeypatch.setenv("ESPALIER_API_KEY", "esp_secret")
    inherited = pickle.dumps(rows)
    assert b"esp_secret" not in inherited
    copied = pickle.loads(inherited)
    monkeypatch.delenv("ESPALIER_API_KEY")
    assert pickle.dumps(copied) == packed


def test_frames_of_polars_have_the_rows_of_pandas(client, searched):
    frame = searched.to_polars()
    assert frame["id"].to_list() == list(searched.to_pandas().index)
    assert frame["reward"].to_list() == list(searched.to_pandas()["reward"])
    tree = searched.tree(frame["id"][0])
    assert tree.to_polars().height == len(tree.to_pandas()) == len(tree)
    assert searched.report().to_polars()["task"].to_list() == list(searched.report().to_pandas().index)
    compared = client.compare(searched, searched)
    assert compared.to_polars().height == len(compared.to_pandas())


def test_a_tree_is_a_page_that_folds_and_loads_nothing(searched):
    tree = searched.tree(next(searched.episodes()).id)
    page = tree._repr_html_()
    assert page.count("<details") == page.count("</details>") == len(tree)
    assert page.count('class="answer"') == len(tree.path_to())
    assert not any(part in page for part in ("<script", "<link", "<img", "src=", "url(", "@import"))


async def test_the_asynchronous_client_writes_the_same(address, searched):
    async with AsyncClient(address) as service:
        run = await service.get_run(searched.id)
        assert (await run.label(tags=["async"])).data.request.tags == ["async"]
        await service.add_endpoint("closed-async", ENDPOINT)
        await service.remove_endpoint("closed-async")
        made = await service.import_trajectories([ROW], "openai", environment=EXAMPLE, reward=1.0, progress=False)
        assert made.trajectories == 1
        place = {"environment": EXAMPLE, "split": "train", "limit": 1}
        choices = {"environments": [place], "methods": ["act"], "models": ["simulated"], "seeds": [0, 1]}
        runs = await service.sweep("async-sweep", **choices, parallel=2, progress=False)
        assert [run.status for run in runs] == ["succeeded", "succeeded"]
        rows = [row async for row in runs[0].stream_rows()]
        assert [row["task"] for row in rows] == [(await runs[0].to_polars())["task"][0]]
        assert len(await runs[0].to_pandas()) == 1
        await (await run.dataset("sft", "trl")).wait(progress=False)


def test_a_person_s_judgements_are_written_and_agree_with_themselves(client, searched):
    first, *_ = searched.episodes()
    made = client.judge(searched.id, first.id, "by-hand", 0.5, note="Half right.")
    assert (made.value, made.note) == (0.5, "Half right.")
    assert [each.episode for each in client.judgements(searched.id, name="by-hand")] == [first.id]
    agreement = client.score_report(searched.id, "by-hand", against="by-hand").agreement
    assert (agreement.pairs, agreement.accuracy) == (1, 1)
    client.remove_judgement(searched.id, first.id, "by-hand")
    assert client.judgements(searched.id, name="by-hand") == []
