"""A server of the shape of AgentGym's for TextCraft, with a game of its own: get three logs, one at a time.

python agentgym_server.py PORT
"""
import sys

import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel

app = FastAPI()
games: dict[int, int] = {}


class Reset(BaseModel):
    id: int
    data_idx: int = 0


class Step(BaseModel):
    id: int
    action: str


@app.post("/create")
def create():
    games[len(games)] = 0
    return {"id": len(games) - 1, "observation": "", "done": False, "reward": 0}


@app.post("/reset")
def reset(body: Reset):
    games[body.id] = 0
    return {"id": body.id, "observation": f"Game {body.data_idx}. Goal: craft 3 oak log.", "done": False, "reward": 0}


@app.post("/step")
def step(body: Step):
    if body.action.strip() != "get 1 oak log":
        return {"observation": "Could not execute that.", "reward": 0, "done": False}
    games[body.id] += 1
    done = games[body.id] >= 3
    return {"observation": f"Got 1 oak log, {games[body.id]} now.", "reward": int(done), "done": done}


@app.post("/close")
def close(body: Reset):
    games.pop(body.id, None)
    return {"closed": True}


uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")
