"""Forms with files (multipart/form-data), read as they come: an upload is never held in memory."""

from __future__ import annotations

from collections.abc import Callable
from email.message import Message
from email.parser import BytesParser
from typing import IO, Protocol

FIELD_BYTES = 1 << 20
LINE_BYTES = 1 << 16


class Lines(Protocol):
    def readline(self, size: int = ..., /) -> bytes: ...


def read_multipart(body: Lines, length: int, content_type: str, file: IO[bytes] | None) -> dict[str, str]:
    """
    The fields of a form. The content of the part with a file's name is written into `file`, and its field is that name.

    :raises ValueError: where it is no form, or not whole
    """
    header = Message()
    header["Content-Type"] = content_type
    boundary = header.get_boundary()
    if header.get_content_type() != "multipart/form-data" or not boundary:
        raise ValueError("The body is no form with a boundary.")
    delimiter = b"--" + boundary.encode()
    line = body.readline(LINE_BYTES)
    if line.rstrip(b"\r\n") != delimiter:
        raise ValueError("The form does not begin with its boundary.")
    fields: dict[str, str] = {}
    is_last = False
    while not is_last:
        name, file_name = _read_head(body)
        if file_name is not None and file is not None:
            is_last = _read_content(body, delimiter, file.write)
            fields[name] = file_name
            continue
        text = bytearray()

        def keep(part: bytes, text: bytearray = text) -> None:
            if len(text) + len(part) > FIELD_BYTES:
                raise ValueError(f"A field of the form has more than {FIELD_BYTES} bytes.")
            text.extend(part)

        is_last = _read_content(body, delimiter, keep)
        fields[name] = text.decode("utf-8", "replace")
    return fields


def _read_head(body: Lines) -> tuple[str, str | None]:
    head = bytearray()
    while True:
        line = body.readline(LINE_BYTES)
        if line in (b"\r\n", b"\n"):
            break
        if not line or len(head) > LINE_BYTES:
            raise ValueError("A part of the form has no end of its head.")
        head += line
    part = BytesParser().parsebytes(bytes(head), headersonly=True)
    name = part.get_param("name", header="content-disposition")
    if not isinstance(name, str):
        raise ValueError("A part of the form has no name.")
    return name, part.get_filename()


def _read_content(body: Lines, delimiter: bytes, write: Callable[[bytes], object]) -> bool:
    """Whether it was the last part. The line break before a boundary belongs to the boundary."""
    held = b""
    while True:
        line = body.readline(LINE_BYTES)
        if not line:
            raise ValueError("The form ends before its last boundary.")
        is_line_start = held == b"" or held.endswith(b"\n")
        if is_line_start and line.startswith(delimiter):
            rest = line[len(delimiter) :].strip()
            if rest in (b"", b"--"):
                write(held.removesuffix(b"\n").removesuffix(b"\r"))
                return rest == b"--"
        # `held` is always the end of what came, so that its line break can be taken off.
        write(held)
        held = line
