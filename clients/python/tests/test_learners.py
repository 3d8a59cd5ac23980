"""Samples for trainers, over a real service and a server of a model that gives its tokens."""

from importlib import import_module
from types import SimpleNamespace

import pytest
from conftest import EXAMPLE
from token_server import serve_tokens

from espalier import RunFailedError
from espalier.learners.samples import Source, samples_of
from espalier.learners.torch_batches import torch_batches
from espalier.learners.trl import trl_rollout_func
from espalier.learners.verl import run_agent_loop, verl_fields

TASK = "textcraft-0369"
ONE_STEP = {"id": "react", "max_steps": 1}
FORKS = {"id": "fork-rollouts", "forks": 2, "fork_by": "random", "max_steps": 1}


@pytest.fixture(scope="module")
def model(client):
    server = serve_tokens()
    address = f"http://127.0.0.1:{server.server_port}/v1"
    client.add_endpoint("lab", {"kind": "openai", "base_url": address, "tokens": "vllm"})
    yield server
    client.remove_endpoint("lab")
    server.shutdown()
    server.server_close()


@pytest.fixture
def source(client, model):
    def make(method=ONE_STEP, name=None, **settings):
        named = {} if name is None else {"name": name}
        return Source(client, EXAMPLE, method, "lab/policy", settings, **named)

    return make


def draw(source, count=1, *, batch="0"):
    return source.draw([TASK] * count, version="step-0", batch=batch)


@pytest.mark.parametrize("seed", [0, 7])
def test_draws_of_one_seed_start_alike_and_answer_otherwise(source, seed):
    training = source(seed=seed)
    samples = [*draw(training, 2), *draw(training, batch="1"), *draw(source(seed=seed))]
    assert len({tuple(sample.prompt_ids) for sample in samples}) == 1
    assert len({tuple(sample.completion_ids) for sample in samples}) == len(samples)


def test_another_seed_is_another_problem(source):
    [first], [second] = draw(source()), draw(source(seed=7))
    assert first.prompt_ids != second.prompt_ids


def test_a_training_gets_earlier_episodes_only_by_its_name(source):
    [named], [again] = draw(source(name="mine")), draw(source(name="mine"))
    assert named == again
    assert draw(source()) != draw(source())
    assert draw(source(name="mine", sampling_seed=5), batch="1") != draw(source(name="mine"), batch="2")


def test_trl_gets_earlier_episodes_only_by_the_name_of_its_training(client, model):
    def steps(**named):
        hook = trl_rollout_func(client, EXAMPLE, ONE_STEP, "lab/policy", **named)
        trainer = SimpleNamespace(
            state=SimpleNamespace(global_step=0), accelerator=SimpleNamespace(process_index=0)
        )
        return [hook([TASK], trainer) for _ in range(2)]

    first, second = steps(name="trl-mine")
    assert first != second and steps(name="trl-mine") == [first, second]
    plain = steps()
    assert steps()[0] != plain[0] != plain[1]


def test_a_paused_rollout_ends_the_draw_with_its_reason(source, client):
    training = source(name="capped", limits={"tokens": 1})
    with pytest.raises(RunFailedError, match=r"is paused: .*tokens.* Resume its run, run-") as refused:
        draw(training, 2)
    [run] = [word.rstrip(";") for word in str(refused.value).split() if word.startswith("run-")]
    client.get_run(run).resume(limits={"tokens": 100_000})
    assert len(draw(training, 2)) == 2


def test_batches_of_a_paused_rollout_end_with_all_that_was_played(client, model, monkeypatch):
    # This machine may have no torch.
    monkeypatch.setattr(import_module("espalier.learners.torch_batches"), "_batch", lambda samples, pad_id: samples)
    asked = {"tasks": {"ids": [TASK]}, "group_size": 2}
    rollout = client.rollout(EXAMPLE, ONE_STEP, "lab/policy", **asked)
    played = [sample for group in rollout.groups() for sample in samples_of(group)]

    def groups():
        yield from rollout.groups()
        raise RunFailedError("paused")

    rows = []
    with pytest.raises(RunFailedError):
        for batch in torch_batches(groups(), batch_size=64):
            rows += batch
    assert len(rows) == 2 and rows == played


def test_a_cancelled_rollout_is_not_begun_again(source, client, model):
    def cancel():
        client.rollouts(limit=1)[0].cancel()
        return 200

    model.on_play.append(cancel)
    with pytest.raises(RunFailedError, match="is cancelled") as refused:
        draw(source(in_flight=1), 3)
    assert client.rollouts(limit=1)[0].id in str(refused.value)


def test_one_that_errors_is_played_again_and_all_of_several_are_a_failure(source, client, model):
    model.on_play += [lambda: 400]
    draw(source(max_retries=0))
    assert [each.status for each in client.rollouts(limit=2)] == ["succeeded", "failed"]
    model.on_play += [lambda: 200] + [lambda: 400] * 4
    assert len(draw(source(max_retries=0, in_flight=1), 3)) == 3
    model.on_play += [lambda: 400] * 2
    with pytest.raises(RunFailedError, match="is failed: Every episode ended with an error.*errored: .*400") as refused:
        draw(source(max_retries=0), 2)
    assert client.rollouts(limit=1)[0].id in str(refused.value)


def test_an_episode_with_several_branches_is_refused_unless_its_answer_alone_is_asked_for(source):
    with pytest.raises(ValueError, match="has 3 branches.*torch_batches"):
        draw(source(FORKS), 2)
    samples = draw(source(FORKS, credit={"paths": "answer"}), 2)
    assert len({sample.episode for sample in samples}) == 2


async def test_verl_gets_no_more_tokens_than_it_takes(source):
    played = source(name="verl")
    lengths = {"prompt_length": 100_000, "response_length": 8}
    found = await run_agent_loop(played, TASK, version="step-0", batch="0", **lengths)
    [sample] = draw(played)
    for field, whole in [
        ("response_ids", sample.completion_ids),
        ("response_mask", sample.mask),
        ("response_logprobs", sample.logprobs),
    ]:
        assert len(whole) > 8 and found[field] == whole[:8]
    whole = verl_fields(sample, prompt_length=len(sample.prompt_ids), response_length=10**6)
    assert whole["response_ids"] == sample.completion_ids
    with pytest.raises(ValueError, match="data.max_prompt_length"):
        verl_fields(sample, prompt_length=len(sample.prompt_ids) - 1, response_length=8)
