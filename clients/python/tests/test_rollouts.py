"""Groups of episodes for a trainer, over a real service."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from conftest import EXAMPLE

from espalier import AsyncClient, RunFailedError

ASKED = {"record": "text", "group_size": 3, "split": "train", "limit": 2, "version": "step-0"}


def test_groups_come_once_and_go_on_behind_any_of_them(client):
    rollout = client.rollout(EXAMPLE, "react", "simulated", idempotency_key="batch-1", **ASKED)
    groups = list(rollout.groups())
    assert sorted(group.index for group in groups) == [0, 1]
    for group in groups:
        assert group.status == "complete" and group.versions == ["step-0"]
        assert [member.missing for member in group.members] == [None, None, None]
        assert [left.reason for left in group.left_out] == ["no_tokens"] * 3
    events = list(rollout.events(after=1))
    assert [event.sequence for event in events] == [2]
    assert rollout.status == "succeeded" and rollout.data.groups.complete == 2
    again = client.rollout(EXAMPLE, "react", "simulated", idempotency_key="batch-1", **ASKED)
    assert again.id == rollout.id
    assert rollout.id in [each.id for each in client.rollouts()]


def test_a_policy_is_changed_and_a_rollout_is_cancelled(client):
    asked = {**ASKED, "limit": 100, "in_flight": 1}
    rollout = client.rollout(EXAMPLE, {"id": "mcts", "iterations": 50}, "simulated", **asked)
    assert rollout.change_policy("step-1").data.version == "step-1"
    assert rollout.cancel().status == "cancelled"
    assert client.get_rollout(rollout.id).refresh().status == "cancelled"


async def test_the_asynchronous_client_reads_the_same(address, client):
    async with AsyncClient(address) as service:
        rollout = await service.rollout(EXAMPLE, "react", "simulated", **ASKED)
        groups = {group.index: group async for group in rollout.groups()}
        assert groups == {group.index: group for group in client.get_rollout(rollout.id).groups()}


async def test_a_pause_ends_the_groups_and_not_the_events(address, client):
    rollout = client.rollout(EXAMPLE, "react", "simulated", **ASKED, limits={"tokens": 1})
    with pytest.raises(RunFailedError, match=rf"{rollout.id} is paused: .*tokens") as paused:
        list(rollout.groups())
    assert rollout.data.run in str(paused.value) and "groups() goes on from here" in str(paused.value)
    async with AsyncClient(address) as service:
        with pytest.raises(RunFailedError, match="is paused"):
            async for _ in (await service.get_rollout(rollout.id)).groups():
                pass
    follower = client.get_rollout(rollout.id)
    read = follower.data
    with ThreadPoolExecutor() as pool:
        following = pool.submit(lambda: [event.group.index for event in follower.events()])
        while follower.data is read and not following.done():
            time.sleep(0.01)
        client.get_run(rollout.data.run).resume(limits={"tokens": 1_000_000})
        assert sorted(following.result(60)) == [0, 1]
    assert sorted(group.index for group in rollout.groups()) == [0, 1]
    assert rollout.status == "succeeded"
