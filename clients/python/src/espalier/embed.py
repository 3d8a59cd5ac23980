"""Pages of the dashboard inside a notebook."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from urllib.parse import quote, urlencode, urlsplit

FIRST_HEIGHT = 480
"""Pixels of a frame until its page reports its height."""

_RESIZE = """<script>(() => {
const frame = document.getElementById(%s)
addEventListener("message", ({ data, origin, source }) => {
if (source === frame?.contentWindow && origin === %s && data?.type === "espalier-height")
frame.style.height = `${data.height}px`
})
})()</script>"""


@dataclass(frozen=True)
class Embed:
    """A frame with a page of the dashboard. ``url`` opens the same page in a tab."""

    url: str
    height: int | None = None

    def _repr_html_(self) -> str:
        name = f"espalier-{secrets.token_hex(8)}"
        frame = (
            f'<iframe id="{name}" title="Espalier" src="{escape(self.url)}" loading="lazy" allow="clipboard-write" '
            f'style="width:100%;height:{self.height or FIRST_HEIGHT}px;border:0"></iframe>'
        )
        address = urlsplit(self.url)
        origin = f"{address.scheme}://{address.netloc}"
        return frame if self.height else frame + _RESIZE % (json.dumps(name), _for_script(origin))


def embed_url(
    address: str, runs: Sequence[str], *, episode: str | None, node: int | None, theme: str | None
) -> str:
    """:raises ValueError: without a run, or with several and an episode"""
    if not runs or (episode is not None and len(runs) > 1):
        raise ValueError("Give one run, one run with an episode, or several runs to compare.")
    query: dict[str, str] = {}
    if len(runs) > 1:
        path = "compare"
        query["runs"] = ",".join(runs)
    else:
        path = f"runs/{quote(runs[0], safe='')}"
        if episode is not None:
            path += f"/episodes/{quote(episode, safe='')}"
    if node is not None:
        query["node"] = str(node)
    if theme is not None:
        query["theme"] = theme
    return f"{address.rstrip('/')}/embed/{path}" + (f"?{urlencode(query)}" if query else "")


def _for_script(text: str) -> str:
    return json.dumps(text).replace("<", "\\u003c")
