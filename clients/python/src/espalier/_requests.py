"""Requests of the API as values, and the rules by which both clients send them."""

from __future__ import annotations

import json
import os
import random
import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Any, Generic, Protocol, TypeVar
from urllib.parse import quote

import httpx

from .errors import ApiError

Answer = TypeVar("Answer", covariant=True)
Item = TypeVar("Item", covariant=True)

MOST_TRIES = 4
"""How often a request is sent in all, where sending it again is safe."""

MOST_ITEMS = 1000
"""Of a page."""

_RETRIED = frozenset({408, 429, 500, 502, 503, 504})


@dataclass(frozen=True)
class Request(Generic[Answer]):
    """One request, with the type of its answer: a pydantic model, ``str`` for text, ``dict`` for JSON as it is."""

    method: str
    path: str
    answer: Any
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None
    idempotency_key: str | None = None
    lines: str | None = None
    """A body of JSON lines, in place of ``body``."""

    @property
    def may_be_repeated(self) -> bool:
        """Whether sending it twice does no more than sending it once."""
        return self.method in {"GET", "PUT", "DELETE"} or self.idempotency_key is not None

    def headers(self) -> dict[str, str]:
        headers = {"Accept": "application/json"}
        if self.lines is not None:
            headers["Content-Type"] = "application/x-ndjson"
        elif self.body is not None:
            headers["Content-Type"] = "application/json"
        if self.idempotency_key is not None:
            headers["Idempotency-Key"] = self.idempotency_key
        return headers

    def parameters(self) -> dict[str, str | list[str]]:
        """A list is a parameter that repeats."""
        return {name: _to_text(value) for name, value in self.query.items() if value is not None}

    def content(self) -> bytes | None:
        if self.lines is not None:
            return self.lines.encode()
        return None if self.body is None else json.dumps(self.body).encode()


def _to_text(value: Any) -> str | list[str]:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return [str(each) for each in value]
    return str(value)


class Page(Protocol[Item]):
    """A page of a list."""

    @property
    def data(self) -> Sequence[Item]: ...

    @property
    def has_more(self) -> bool: ...

    @property
    def last_id(self) -> str | None: ...


def path_of(*parts: str | int) -> str:
    """A path below ``/v1``, each part escaped."""
    return "/v1/" + "/".join(quote(str(part), safe="") for part in parts)


def new_idempotency_key() -> str:
    return f"python-{uuid.uuid4()}"


def headers_of(key: str | None) -> dict[str, str]:
    return {} if key is None else {"Authorization": f"Bearer {key}"}


def direct_hosts() -> dict[str, None]:
    """Hosts that httpx reaches without the proxy of the environment: this machine, unless ESPALIER_PROXY_LOOPBACK is 1."""
    if os.environ.get("ESPALIER_PROXY_LOOPBACK") == "1":
        return {}
    return {f"all://{host}": None for host in ("localhost", "127.0.0.1", "[::1]")}


def pause_before(attempt: int, response: httpx.Response | None) -> float | None:
    """Seconds until the next try: doubled with jitter, or longer if the service asks for it, 60 at most. None where it is no use.

    :param attempt: how often the request was sent
    :param response: what was answered; None where the connection broke
    """
    if attempt >= MOST_TRIES or (response is not None and response.status_code not in _RETRIED):
        return None
    own = min(8.0, 0.25 * 2**attempt) * random.uniform(0.5, 1.0)
    return max(own, 0.0 if response is None else asked_pause(response.headers))


def asked_pause(headers: httpx.Headers) -> float:
    """Seconds that a service asks for, as a number or as a date: 60 at most, and 0 if it asks for none."""
    return min(_retry_after(headers.get("retry-after", "")), 60.0)


def _retry_after(asked: str) -> float:
    try:
        return max(0.0, float(asked))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(asked).timestamp() - time.time())
    except ValueError:
        return 0.0


def location_of(response: httpx.Response) -> str | None:
    """The address of a large answer, which is downloaded without the key."""
    if response.status_code in {303, 307}:
        return response.headers.get("location")
    return None


def read_answer(request: Request[Answer], response: httpx.Response) -> Answer:
    """:raises ApiError: where the service refused"""
    if response.status_code >= 400:
        raise ApiError.from_response(response.status_code, read_json(response))
    if request.answer is None:
        return None  # type: ignore[return-value]
    if request.answer is str:
        return response.text  # type: ignore[return-value]
    value = response.json()
    if request.answer is dict:
        return value
    return request.answer.model_validate(value)


def read_json(response: httpx.Response) -> Any:
    try:
        return response.json()
    except ValueError:
        return response.text
