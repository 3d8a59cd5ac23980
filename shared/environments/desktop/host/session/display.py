"""The screen of a desktop session: an X server that only programs of the session reach."""

from __future__ import annotations

import os
import secrets
import selectors
import struct
import subprocess
import time
from pathlib import Path

START_WITHIN = 20.0


class StartError(Exception):
    """A program that the session cannot do without did not start."""


def start_display(width: int, height: int, authority: Path) -> tuple[subprocess.Popen[bytes], str]:
    """
    Starts Xvfb on the first display that is free.

    It listens on its Unix socket alone, neither on TCP nor on an abstract socket, and asks for a cookie.

    :returns: the process and the name of the display
    :raises StartError: where it did not start in time
    """
    cookie = secrets.token_bytes(16)
    write_authority(authority, cookie, "")
    reading, writing = os.pipe()
    server = subprocess.Popen(
        [
            "Xvfb",
            "-displayfd", str(writing),
            "-screen", "0", f"{width}x{height}x24",
            "-auth", str(authority),
            "-nolisten", "tcp",
            "-nolisten", "local",
            # The screen stays on, and pictures that programs keep are not thrown away when the first of them ends.
            "-s", "0",
            "-dpms",
            "-noreset",
        ],
        pass_fds=(writing,),
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(writing)
    number = _read_line(reading, START_WITHIN)
    os.close(reading)
    if not number.isdigit():
        code = server.poll()
        raise StartError(f"Xvfb did not start within {START_WITHIN:g} seconds (code {code}).")
    # It has read the file; programs look there for the display by its number.
    write_authority(authority, cookie, number)
    return server, f":{number}"


def write_authority(path: Path, cookie: bytes, number: str) -> None:
    """Writes the file from which programs of this user have the cookie, and the X server too."""
    local = 256
    fields = (os.uname().nodename.encode(), number.encode(), b"MIT-MAGIC-COOKIE-1", cookie)
    body = struct.pack(">H", local) + b"".join(struct.pack(">H", len(field)) + field for field in fields)
    path.write_bytes(body)
    path.chmod(0o600)


def _read_line(descriptor: int, seconds: float) -> str:
    text = b""
    end = time.monotonic() + seconds
    with selectors.DefaultSelector() as selector:
        selector.register(descriptor, selectors.EVENT_READ)
        while not text.endswith(b"\n") and selector.select(max(0.0, end - time.monotonic())):
            part = os.read(descriptor, 64)
            if not part:
                break
            text += part
    return text.decode().strip()
