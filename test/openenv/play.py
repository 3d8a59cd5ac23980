"""Plays against an OpenEnv server with OpenEnv's own client, and prints what came of it as JSON."""

import asyncio
import json
import sys

from openenv.core import GenericEnvClient

base_url = sys.argv[1]
actions = json.loads(sys.argv[2])
INVENTORY = {"action": "inventory"}


def shown(result):
    return {"observation": result.observation, "reward": result.reward, "done": result.done}


async def refused(awaitable):
    try:
        await awaitable
    except RuntimeError as error:
        return str(error)
    return None


async def play_one():
    async with GenericEnvClient(base_url=base_url) as client:
        before = await client.state()
        early = await refused(client.step(INVENTORY))
        reset = shown(await client.reset(seed=0, episode_id="e1", task="textcraft-0000"))
        steps = [shown(await client.step({"action": action})) for action in actions]
        after = await client.state()
        again = shown(await client.reset(task="textcraft-0000"))
        return {"before": before, "early": early, "reset": reset, "steps": steps, "after": after, "again": again}


async def fail_in_every_way():
    async with GenericEnvClient(base_url=base_url) as client:
        failures = {
            "task": await refused(client.reset(task="nowhere")),
            "seed": await refused(client.reset(seed=-1)),
        }
        await client.reset()
        failures["action"] = await refused(client.step({"move": "up"}))
        failures["after"] = (await client.step(INVENTORY)).done
        return failures


async def play_alongside(seed):
    async with GenericEnvClient(base_url=base_url) as client:
        reset = await client.reset(seed=seed)
        for _ in range(20):
            await client.step(INVENTORY)
        return {"goal": reset.observation["text"].splitlines()[-1], **await client.state()}


def play_synchronously():
    with GenericEnvClient(base_url=base_url).sync() as client:
        client.reset()
        return shown(client.step(INVENTORY))


async def main():
    return {
        "episode": await play_one(),
        "failures": await fail_in_every_way(),
        "alongside": await asyncio.gather(*(play_alongside(seed) for seed in range(8))),
    }


played = asyncio.run(main())
print(json.dumps({**played, "synchronous": play_synchronously()}))
