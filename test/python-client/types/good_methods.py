"""Every typed call of a method's scope, used as it is meant."""

from espalier import AsyncClient, Client
from espalier.methods import AsyncScope, Message, Scope, Tool, method, picture


@method("calls", branches=True)
def calls(scope: Scope, max_steps: int | None = None) -> None:
    node = scope.root
    tool: Tool = {"name": "look_up", "description": "Looks up.", "schema": {"type": "object"}}
    shown: list[Message] = [{"role": "user", "content": "See.", "pictures": [picture(b"\x89PNG"), *node.pictures]}]
    (answer,) = scope.ask(shown, key="look", tools=[tool], temperature=0.2, stop=["END"], logprobs=True)
    print(answer.upper(), answer.reasoning, [call["arguments"] for call in answer.tool_calls])
    found: dict[str, int] = scope.effect("count", lambda: {"words": len(answer)})
    for proposal in scope.propose(node, n=2, max_tokens=50 + found["words"]):
        if proposal.action in (scope.actions(node) or []):
            node = scope.step(node, proposal)


@method("later", branches=True)
async def later(scope: AsyncScope, max_steps: int | None = None) -> None:
    async def fetch() -> list[str]:
        return ["one"]

    words: list[str] = await scope.effect("words", fetch)
    (answer,) = await scope.ask(words[0], key="ask", reasoning_effort="low")
    print(answer.finish_reason, await scope.actions(scope.root))


def bare(scope: Scope, max_steps: int | None = None) -> None:
    scope.commit(scope.root)


async def play(client: Client, service: AsyncClient) -> None:
    client.run("textcraft", method=calls, model="simulated", limit=2)
    client.estimate("textcraft", method={"id": bare, "max_steps": 4}, model="simulated")
    await service.run("textcraft", later, "simulated")
