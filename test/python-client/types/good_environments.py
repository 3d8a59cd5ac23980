"""Every typed call of a connected environment, used as it is meant."""

from espalier.environments import Seen, Snapshot, connect, connect_async, to_gymnasium


def main() -> None:
    with connect("textcraft") as env:
        tasks: list[str] = [task.id for task in env.tasks("test")]
        seen: Seen = env.reset(tasks[0], seed=1)
        kept: Snapshot = env.snapshot()
        other = env.fork()
        print(seen.observation, other.step("inventory").reward, env.call("get", count=1, item="oak log").valid)
        print(env.restore(kept).steps, [tool["name"] for tool in env.tools], env.actions())
        other.close()
    game = to_gymnasium("textcraft", split="train")
    print(game.reset(seed=1))


async def later() -> None:
    async with await connect_async("textcraft") as env:
        seen: Seen = await env.reset("textcraft-0042")
        print(seen.done, (await env.step("inventory")).progress, await env.actions())


main()
