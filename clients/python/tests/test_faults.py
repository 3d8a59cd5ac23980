"""What becomes of requests that break off, over a server that breaks them."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest
from conftest import EXAMPLE

from espalier import ApiError, Client, ServiceUnreachableError
from espalier._requests import direct_hosts, pause_before

RUN = {"id": "run-1"}


class Breaking(BaseHTTPRequestHandler):
    """Answers what the test queued: a status, or None for a connection that is closed without an answer."""

    planned: list
    seen: list

    def _answer(self):
        size = int(self.headers.get("Content-Length", 0))
        body = self.rfile.read(size)
        self.seen.append(
            (
                self.command,
                self.path,
                self.headers.get("Idempotency-Key"),
                self.headers.get("Authorization"),
                body,
            )
        )
        status = self.planned.pop(0) if self.planned else 200
        if status is None:
            self.close_connection = True
            self.connection.close()
            return
        error = {"error": {"type": "api_error", "code": "busy", "message": "Later.", "param": None}}
        answer = json.dumps({"status": "ok"} if status < 400 else error).encode()
        if status == 307:
            self.send_response(307)
            self.send_header("Location", f"{self.elsewhere}/file")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        self.send_response(status)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    do_GET = do_POST = do_PUT = do_DELETE = _answer

    def log_message(self, *_):
        pass


def serve(planned, elsewhere=""):
    handler = type("Handler", (Breaking,), {"planned": list(planned), "seen": [], "elsewhere": elsewhere})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_port}", handler.seen


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch):
    monkeypatch.setattr("time.sleep", lambda seconds: None)


def test_a_read_is_sent_again_until_it_is_answered():
    server, address, seen = serve([None, 503, 200])
    with Client(address) as client:
        assert client.health() == {"status": "ok"}
    assert len(seen) == 3
    server.shutdown()


def test_what_makes_something_is_sent_again_under_the_same_key():
    server, address, seen = serve([503, 503, 400])
    with Client(address) as client, pytest.raises(ApiError) as refused:
        client.run(EXAMPLE, "react", "simulated")
    assert refused.value.status == 400
    keys = {key for _, _, key, _, _ in seen}
    assert len(seen) == 3 and len(keys) == 1 and None not in keys
    server.shutdown()


def test_a_change_without_a_key_is_sent_once():
    server, address, seen = serve([503])
    with Client(address) as client, pytest.raises(ApiError):
        client.estimate(EXAMPLE, "react", "simulated")
    assert len(seen) == 1
    server.shutdown()


def test_it_gives_up_after_four_tries_and_says_where_nothing_answered():
    server, address, seen = serve([None] * 10)
    with Client(address) as client, pytest.raises(ServiceUnreachableError, match=address):
        client.health()
    assert len(seen) == 4
    server.shutdown()


def test_the_key_never_follows_to_a_signed_address():
    other, elsewhere, followed = serve([200])
    server, address, seen = serve([307], elsewhere)
    with Client(address, key="esp_secret") as client:
        client.health()
    assert [authorization for *_, authorization, _ in seen] == ["Bearer esp_secret"]
    assert [authorization for *_, authorization, _ in followed] == [None]
    server.shutdown()
    other.shutdown()


@pytest.mark.parametrize("asked", ["0", "0.001", "-5", "soon", "Thu, 01 Jan 1970 00:00:00 GMT", "nan"])
def test_own_delay_is_the_least_pause(asked: str) -> None:
    for attempt in (1, 2, 3):
        pause = pause_before(attempt, httpx.Response(429, headers={"retry-after": asked}))
        assert pause is not None and pause >= 0.125 * 2**attempt


def test_longer_pause_of_the_service_is_kept() -> None:
    assert pause_before(1, httpx.Response(429, headers={"retry-after": "7"})) == 7
    assert pause_before(1, httpx.Response(503, headers={"retry-after": "3600"})) == 60


class Proxy(BaseHTTPRequestHandler):
    """Answers as the service that it is asked for."""

    def do_GET(self):
        self.server.seen.append(self.path)
        answer = json.dumps({"object": "list", "data": [], "has_more": False}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *arguments):
        pass


@pytest.fixture
def proxy(monkeypatch):
    server = ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
    server.seen = []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    for name in ("http_proxy", "HTTP_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{server.server_port}")
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    yield server
    server.shutdown()
    server.server_close()


def test_service_elsewhere_is_reached_through_the_proxy(proxy) -> None:
    with httpx.Client(mounts=direct_hosts()) as client:
        assert client.get("http://espalier.example.com/v1/runs").status_code == 200
    assert proxy.seen == ["http://espalier.example.com/v1/runs"]


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_service_on_this_machine_is_reached_directly(proxy, host: str) -> None:
    with httpx.Client(mounts=direct_hosts()) as client, pytest.raises(httpx.ConnectError):
        client.get(f"http://{host}:9/v1/runs")
    assert proxy.seen == []
