"""Twenty mistakes, one on each marked line, which type checkers must find."""

import espalier
from espalier import AsyncClient, Client, Report, Run
from espalier.environments import Environment, StepResult, Task
from espalier.methods import Node, Scope, method


def client_calls(client: Client, run: Run) -> None:
    client.run("textcraft", "react", "simulated", limits={"token": 1})  # mistake 1
    client.run("textcraft", "react", "simulated", epochs="2")  # mistake 2
    client.run("textcraft", "react", "simulated", hosting="hosts")  # mistake 3
    client.run("textcraft", "react", "simulated", max_paralell=4)  # mistake 4
    client.run("textcraft", "react")  # mistake 5
    client.runs(status="done")  # mistake 6
    client.dataset(kind="stf", format="trl", runs=[run])  # mistake 7
    client.dataset(kind="sft", format="trl", runs=run)  # mistake 8
    run.dataset("sft", "hf")  # mistake 9
    run.resume(limits={"cost": "3"})  # mistake 10
    print(run.report().succes_rate)  # mistake 11
    print(run.report().success_rate.mean + 1)  # mistake 12
    print(run.data.episodes.solved)  # mistake 13
    print(client.compare(run, run).runs[0].sucess_rate)  # mistake 14
    print(espalier.Clientt)  # mistake 15


async def asynchronous(client: AsyncClient) -> Report:
    run = await client.run("textcraft", "react", "simulated", limit="5")  # mistake 16
    return run.report()  # mistake 17


class Grid(Environment):
    id = "grid"
    rules = "Walk."

    @classmethod
    def tasks(cls) -> list[Task]:
        return [Task("only", max_steps="9")]  # mistake 18

    def reset(self, task: Task, seed: int) -> str:
        return "Here."

    def step(self, action: str) -> str:  # mistake 19
        return StepResult("There.").observation


@method("own", branches=False)
def own(scope: Scope, max_steps: int | None = None) -> None:
    node: Node = scope.propose(scope.root)  # mistake 20
    print(node)
