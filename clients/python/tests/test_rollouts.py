"""Groups of episodes for a trainer, over a real service."""

from conftest import EXAMPLE

from espalier import AsyncClient

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
