"""Opens one episode more than the server has slots with OpenEnv's own client, and prints what the last was told."""

import asyncio
import json
import sys

from openenv.core import GenericEnvClient

base_url, slots = sys.argv[1], int(sys.argv[2])


async def main():
    clients = [GenericEnvClient(base_url=base_url) for _ in range(slots + 1)]
    for client in clients[:-1]:
        await client.reset()
    try:
        await clients[-1].reset()
        told = None
    except RuntimeError as error:
        told = str(error)
    await clients[0].close()
    for _ in range(100):
        try:
            await clients[-1].reset()
            break
        except RuntimeError:
            await asyncio.sleep(0.05)
    state = await clients[-1].state()
    for client in clients[1:]:
        await client.close()
    return {"told": told, "state": state}


print(json.dumps(asyncio.run(main())))
