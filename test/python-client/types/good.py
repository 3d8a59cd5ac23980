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
        run.label(add_tags=["kept"], note=None)
        for row in run.stream_rows(min_reward=1):
            print(row["messages"])
        client.add_endpoint("local", {"kind": "openai", "base_url": "http://127.0.0.1:8000/v1"})
        taken = client.import_trajectories([{"messages": []}], "openai", environment="textcraft", reward=1)
        print(taken.trajectories, client.rejections(taken.id))
        runs = client.sweep(
            "both",
            environments=["textcraft"],
            methods=[{"id": "mcts", "iterations": 2}, "react"],
            models=["simulated"],
            seeds=[0, 1],
        )
        print([each.status for each in runs])


main()
