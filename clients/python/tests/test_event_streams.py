"""Event streams over a server that answers each request as the test plans."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from espalier import ApiError, AsyncClient, Client

PAGE = "<html><h1>Bad Gateway</h1></html>"
OVER = 'event: end\ndata: {"status": "succeeded"}\n\n'


def group(sequence):
    found = {
        **{"object": "rollout_group", "rollout": "rollout-1", "index": 0, "task": "task", "status": "complete"},
        **{"members": [], "versions": [], "rewards": None, "flat": True},
    }
    data = json.dumps({"type": "group.finished", "sequence": sequence, "group": found})
    return f"id: {sequence}\nevent: group.finished\ndata: {data}\n\n"


def broken(code="internal"):
    error = {"type": "server_error", "code": code, "message": "The stream broke.", "param": None}
    return f"event: error\ndata: {json.dumps({'error': error})}\n\n"


class Planned(BaseHTTPRequestHandler):
    def do_GET(self):
        status, body, headers = self.server.planned.pop(0)
        self.server.seen.append(self.headers.get("Last-Event-ID"))
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *arguments):
        pass


@pytest.fixture
def serve():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Planned)
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def plan(*answers):
        server.planned = [(*answer, {})[:3] for answer in answers]
        server.seen = []
        return f"http://127.0.0.1:{server.server_port}", server.seen

    yield plan
    server.shutdown()
    server.server_close()


@pytest.fixture
def pauses(monkeypatch):
    found = []
    monkeypatch.setattr("time.sleep", found.append)
    return found


def sequences(address):
    with Client(address) as client:
        return [each.sequence for each in client._transport.events("rollouts", "rollout-1", None)]


@pytest.mark.parametrize(
    "fault",
    [*[(status, PAGE) for status in (408, 429, 500, 502, 503, 504)], (200, broken()), (429, "{}")],
    ids=str,
)
async def test_a_fault_that_may_pass_breaks_no_stream(serve, pauses, fault):
    answers = [fault, (200, group(1) + broken()), fault, (200, group(2)), (200, group(3) + OVER)]
    address, seen = serve(*answers)
    assert sequences(address) == [1, 2, 3]
    assert seen == [None, None, "1", "1", "2"]
    address, seen = serve(*answers)
    async with AsyncClient(address) as client:
        events = client._transport.events("rollouts", "rollout-1", None)
        assert [each.sequence async for each in events] == [1, 2, 3]
    assert seen == [None, None, "1", "1", "2"]


def test_the_next_stream_waits_as_long_as_the_service_asks(serve, pauses):
    busy = lambda seconds: (503, PAGE, {"Retry-After": seconds})  # noqa: E731
    address, _ = serve(busy("7"), busy("3600"), busy("0"), (200, group(1)), (200, OVER))
    assert sequences(address) == [1]
    assert pauses[:2] == [7, 60] and 0 < pauses[2] <= 2
    assert pauses[3:] == [0.1]


@pytest.mark.parametrize("fault", [(404, PAGE), (401, "{}"), (200, broken("damaged_object"))], ids=str)
def test_a_refusal_and_damage_end_the_stream(serve, pauses, fault):
    address, seen = serve((200, group(1)), fault)
    with pytest.raises(ApiError):
        sequences(address)
    assert seen == [None, "1"]


@pytest.mark.parametrize("fault", [(503, PAGE), (200, broken())], ids=str)
def test_a_fault_that_lasts_ends_the_stream_with_its_error(serve, pauses, monkeypatch, fault):
    monkeypatch.setattr("espalier._events.PATIENCE", 0.0)
    address, seen = serve((200, group(1)), fault, fault)
    with pytest.raises(ApiError) as refused:
        sequences(address)
    assert refused.value.status in (500, 503)
    assert seen == [None, "1", "1"]
