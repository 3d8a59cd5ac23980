"""Every typed call, used as it is meant."""

from espalier import Client, Run


def main() -> None:
    with Client() as client:
        run: Run = client.run(
            environment="textcraft",
            method={"id": "mcts", "iterations": 4},
            model="simulated",
            split="train",
            limit=5,
            limits={"tokens": 5_000_000},
        ).wait()
        print(run.report().success_rate.mean, run.report(interval="bootstrap").usage.cost)
        for episode in run.episodes(status="errored"):
            print(episode.id, episode.result and episode.result.reward)
        rows = run.dataset("sft", "trl", gates={"duplicates": "drop"}).wait()
        print(rows.id, client.dataset(kind="sft", format="trl", runs=[run]).status)
        print(client.compare(run, run.id, interval="t").runs[0].run)
        run.resume(limits={"cost": 3})


main()
