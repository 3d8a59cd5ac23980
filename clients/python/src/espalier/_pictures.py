"""Pictures as the service takes them."""

from __future__ import annotations

import base64
from typing import TypedDict

_SIGNATURES = ((b"\x89PNG", "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"RIFF", "image/webp"))


class SentPicture(TypedDict):
    """A picture as base64; :func:`picture` makes one of bytes."""

    media_type: str
    data: str


def picture(data: bytes) -> SentPicture:
    """A PNG, JPEG or WebP file. :raises ValueError: where the bytes are none of these"""
    for start, media_type in _SIGNATURES:
        if data.startswith(start):
            return {"media_type": media_type, "data": base64.b64encode(data).decode("ascii")}
    raise ValueError("A picture must be a PNG, JPEG or WebP file, as bytes.")
