"""Plays a TextCraft server as AgentGym's clients do: the same routes, bodies and order, with nothing of ours."""
import json
import sys

import requests

address, index, actions = sys.argv[1], int(sys.argv[2]), json.loads(sys.argv[3])


def post(path, body):
    answer = requests.post(f"{address}/{path}", json=body, timeout=300)
    assert answer.status_code == 200, answer.text
    return answer.json()


created = post("create", {})
place = created["id"]
reset = post("reset", {"id": place, "data_idx": index})
shown = requests.get(f"{address}/observation?id={place}", timeout=300).json()
steps = [post("step", {"id": place, "action": action}) for action in actions]
closed = post("close", {"id": place})
print(json.dumps({"reset": reset, "shown": shown, "steps": steps, "closed": closed}))
