"""A server of a model that gives its tokens in the fields of vLLM: the bytes of texts are their ids."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class _Answers(BaseHTTPRequestHandler):
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        prompt = list("\n".join(str(each["content"]) for each in asked["messages"]).encode())
        choices = [_choice(index, f"Action: get {asked['seed'] + index}") for index in range(asked.get("n", 1))]
        spent = {"prompt_tokens": len(prompt), "completion_tokens": sum(len(each["token_ids"]) for each in choices)}
        body = {"model": "weights", "choices": choices, "prompt_token_ids": prompt, "usage": spent}
        is_played = b"Goal: craft" in bytes(prompt)
        status = self.server.on_play.pop(0)() if is_played and self.server.on_play else 200
        answer = json.dumps(body if status == 200 else {"error": {"message": "No."}}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *arguments):
        pass


def _choice(index, text):
    ids = list(text.encode())
    return {
        "index": index,
        "message": {"role": "assistant", "content": text},
        "finish_reason": "stop",
        "token_ids": ids,
        "logprobs": {"content": [{"token": chr(id), "logprob": -0.5} for id in ids]},
    }


def serve_tokens():
    """The next calls of episodes are announced to the functions in ``on_play``, which return the status to answer."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Answers)
    server.on_play = []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server
