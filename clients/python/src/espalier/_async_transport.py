"""Sends requests over httpx, and waits for their answers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx

from ._events import EventStream
from ._requests import (
    MOST_ITEMS,
    Answer,
    Item,
    Page,
    Request,
    direct_hosts,
    headers_of,
    location_of,
    pause_before,
    read_answer,
)
from .errors import ApiError, ServiceUnreachableError


class AsyncTransport:
    def __init__(self, address: str, key: str | None, timeout: float):
        self.address = address.rstrip("/")
        self.key = key
        self.timeout = timeout
        self._http = httpx.AsyncClient(
            base_url=self.address, headers=headers_of(key), timeout=timeout, mounts=direct_hosts()
        )
        # Signed addresses need no key, and may be another service's: the key stays here.
        self._files = httpx.AsyncClient(timeout=timeout, follow_redirects=True, mounts=direct_hosts())

    async def send(self, request: Request[Answer]) -> Answer:
        """
        :raises ApiError: where the service refuses
        :raises ServiceUnreachableError: where none answers, or the connection broke and sending again is not safe
        """
        attempt = 0
        while True:
            attempt += 1
            response: httpx.Response | None = None
            broken: httpx.TransportError | None = None
            try:
                response = await self._once(request)
            except httpx.TransportError as error:
                broken = error
            if response is not None and response.status_code < 400:
                return read_answer(request, response)
            pause = pause_before(attempt, response) if request.may_be_repeated else None
            if pause is not None:
                await asyncio.sleep(pause)
            elif response is not None:
                return read_answer(request, response)
            else:
                raise ServiceUnreachableError(f"No answer from {self.address}: {broken}") from broken

    async def _once(self, request: Request[Any]) -> httpx.Response:
        response = await self._http.request(
            request.method,
            request.path,
            params=request.parameters(),
            headers=request.headers(),
            content=request.content(),
        )
        location = location_of(response)
        if location is None:
            return response
        return await self._files.get(httpx.URL(self.address + "/").join(location))

    async def items(self, request: Request[Page[Item]], limit: int | None = None) -> AsyncIterator[Item]:
        """The items of a list, over as many pages as it takes.

        :param limit: the most items; None: all
        """
        query, left = dict(request.query), limit
        while left is None or left > 0:
            query["limit"] = MOST_ITEMS if left is None else min(left, MOST_ITEMS)
            page = await self.send(replace(request, query=query))
            for item in page.data:
                yield item
            if not page.has_more:
                return
            left = None if left is None else left - len(page.data)
            query["after"] = page.last_id

    async def events(self, kind: str, id: str, after: int | None) -> AsyncIterator[Any]:
        """The events of a run or a rollout, each once, over as many streams as it takes."""
        stream = EventStream(kind, id, after)
        while not stream.has_ended:
            try:
                async with self._http.stream(
                    "GET", stream.path, headers=stream.headers(), timeout=90
                ) as response:
                    if response.status_code >= 400:
                        await response.aread()
                        stream.refused(response)
                    else:
                        async for block in response.aiter_bytes():
                            for message in stream.read(block):
                                yield message
                            if stream.has_ended:
                                return
            except httpx.TransportError as error:
                stream.broke(error)
            await asyncio.sleep(stream.pause)

    async def download(self, url: str, target: Path) -> None:
        """Writes what a signed address holds; the file appears when it is complete."""
        partial = target.with_name(target.name + ".part")
        target.parent.mkdir(parents=True, exist_ok=True)
        async with self._files.stream("GET", httpx.URL(self.address + "/").join(url)) as response:
            if response.status_code >= 400:
                await response.aread()
                raise ApiError.from_response(response.status_code, response.text)
            with partial.open("wb") as file:
                async for block in response.aiter_bytes():
                    file.write(block)
        partial.replace(target)

    async def close(self) -> None:
        await self._http.aclose()
        await self._files.aclose()
