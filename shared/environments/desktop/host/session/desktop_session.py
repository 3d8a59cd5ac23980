"""
One desktop: a screen, a window manager, the buses of programs and of accessibility, and the API over a Unix socket.

It writes one line of JSON once all of it answers, and ends when one of the programs that the desktop needs has ended.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from actor import Actor
from api_server import ApiServer
from display import StartError, start_display
from home import fill_home

FILE_BYTES = 256 << 20
"""No file of a session is larger: what scores a task reads its files into memory."""

START_WITHIN = 20.0


class Desktop:
    """The programs of a session, of which none may end."""

    def __init__(self, runtime: Path) -> None:
        self._runtime = runtime
        self._needed: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, width: int, height: int) -> None:
        """
        :raises StartError: that says what did not start
        """
        authority = Path.home() / ".Xauthority"
        self._needed["Xvfb"], os.environ["DISPLAY"] = start_display(width, height, authority)
        os.environ["XAUTHORITY"] = str(authority)
        bus = self._runtime / "bus"
        os.environ["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={bus}"
        self._start("dbus-daemon", "--session", "--nofork", "--nopidfile", f"--address=unix:path={bus}")
        _wait_for(lambda: _is_listening(bus), "dbus-daemon", self.lost)
        self._start("openbox", "--sm-disable")
        self._start("/usr/libexec/at-spi-bus-launcher", "--launch-immediately")
        # A program that looks for it before would have another one started, and the first of the two to be late ends.
        _wait_for(_is_accessible, "at-spi-bus-launcher", self.lost)
        # Icons of the files on the desktop, and a dock of applications and windows; without them it is a desktop still.
        for command in (["pcmanfm", "--desktop"], ["lxpanel", "--profile", "desktop"]):
            subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
            )

    def lost(self) -> str | None:
        """The first of the programs that has ended."""
        for name, process in self._needed.items():
            if process.poll() is not None:
                return f"{name} has ended with code {process.returncode}."
        return None

    def end(self) -> None:
        """
        Ends the programs, and with the screen what is on it. The X server removes its socket and its lock, which are
        the system's where the session has no `/tmp` of its own.
        """
        for process in self._needed.values():
            process.terminate()
        for process in self._needed.values():
            try:
                process.wait(2)
            except subprocess.TimeoutExpired:
                process.kill()

    def _start(self, *command: str) -> None:
        self._needed[Path(command[0]).name] = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, start_new_session=True
        )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--socket", type=Path, required=True)
    parser.add_argument("--width", type=int, required=True)
    parser.add_argument("--height", type=int, required=True)
    parser.add_argument("--office-version", required=True)
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES, FILE_BYTES))
    home = Path.home()
    fill_home(home, options.office_version)
    os.chdir(home)
    desktop = Desktop(Path(os.environ["XDG_RUNTIME_DIR"]))
    try:
        desktop.start(options.width, options.height)
        actor = Actor()
        threading.Thread(target=actor.warm, daemon=True).start()
        server = _make_server(options.socket, actor, desktop)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        print(json.dumps({"ready": True, "display": os.environ["DISPLAY"]}), flush=True)
        while (lost := desktop.lost()) is None:
            time.sleep(0.2)
        print(f"lost: {lost}", flush=True)
        sys.exit(1)
    except StartError as error:
        sys.exit(str(error))
    finally:
        desktop.end()


def _make_server(path: Path, actor: Actor, desktop: Desktop) -> ApiServer:
    # These connect to the display, or to its buses, which are there now.
    from gi.repository import Gio
    from routes import routes_of
    from screen import Screen

    screen = Screen()
    _wait_for(screen.is_managed, "openbox", desktop.lost)
    Gio.Settings.new("org.gnome.desktop.interface").set_boolean("toolkit-accessibility", True)
    Gio.Settings.sync()
    return ApiServer(path, routes_of(screen, actor))


def _is_listening(path: Path) -> bool:
    # The file is there before the daemon listens.
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(path))
        except OSError:
            return False
    return True


def _is_accessible() -> bool:
    # It connects to the session's bus, which is there now.
    from gi.repository import Gio, GLib

    answer = Gio.bus_get_sync(Gio.BusType.SESSION, None).call_sync(
        "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameHasOwner",
        GLib.Variant("(s)", ("org.a11y.Bus",)), None, Gio.DBusCallFlags.NONE, 5000, None,
    )  # fmt: skip
    return bool(answer.unpack()[0])


def _wait_for(is_there: Callable[[], bool], what: str, lost: Callable[[], str | None]) -> None:
    end = time.monotonic() + START_WITHIN
    while not is_there():
        why = lost()
        if why is not None:
            raise StartError(why)
        if time.monotonic() > end:
            raise StartError(f"{what} was not ready within {START_WITHIN:g} seconds.")
        time.sleep(0.02)


def end_with_parent() -> None:
    """Where no namespace ends with who opened the session, this signal does."""
    set_death_signal = 1
    ctypes.CDLL(None).prctl(set_death_signal, signal.SIGTERM, 0, 0, 0)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    end_with_parent()
    main()
