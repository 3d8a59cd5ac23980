"""Calls on the accessibility bus, many of them under way at once: applications answer in bulk what is asked in bulk."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from gi.repository import Gio, GLib

ACCESSIBLE = "org.a11y.atspi.Accessible"
_PROPERTIES = "org.freedesktop.DBus.Properties"
NULL_PATH = "/org/a11y/atspi/null"

Reference = tuple[str, str]
"""An accessible: the name of its application on the bus, and its path."""

Answered = Callable[[Any], None]

UNDER_WAY = 256
"""So many calls are asked before answers are read."""

CONNECT_TIMEOUT = 1.0
"""How long a connection of its own to an application may take. Seconds."""

CALL_TIMEOUT = 3000
"""How long an application may take for one answer. Milliseconds."""


class AccessibilityBus:
    """
    A connection for one thread.

    An answer that is an error, such as that of an object which has gone meanwhile, is None.
    """

    def __init__(self, deadline: float) -> None:
        """
        :param deadline: when no more is asked, by `time.monotonic()`
        """
        self._context = GLib.MainContext.new()
        self._context.push_thread_default()
        self._queue: deque[tuple[Reference, str, str, Any, Answered]] = deque()
        self._under_way = 0
        self._cancelled = Gio.Cancellable()
        self._silent: set[str] = set()
        self._direct: dict[str, Gio.DBusConnection] = {}
        self.deadline = deadline
        self.is_late = False
        self._connection = Gio.DBusConnection.new_for_address_sync(
            _address(),
            Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION,
            None,
            None,
        )

    def close(self) -> None:
        for connection in (self._connection, *self._direct.values()):
            try:
                connection.close_sync(None)
            except GLib.Error:
                # The application has ended.
                continue
        self._context.pop_thread_default()

    def connect(self, root: Reference, connected: Callable[[], None]) -> None:
        """
        Makes what is asked of an application go to it without the bus between, which halves the work, where the application
        offers that.
        """

        def take(address: Any) -> None:
            if address:
                # An application that hangs accepts a connection, and says nothing on it.
                given_up = Gio.Cancellable()
                timer = threading.Timer(CONNECT_TIMEOUT, given_up.cancel)
                timer.start()
                try:
                    self._direct[root[0]] = Gio.DBusConnection.new_for_address_sync(
                        address, Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT, None, given_up
                    )
                except GLib.Error:
                    # It is asked over the bus.
                    pass
                finally:
                    timer.cancel()
            connected()

        self.ask(root, "org.a11y.atspi.Application", "GetApplicationBusAddress", None, take)

    def ask(self, of: Reference, interface: str, method: str, parameters: Any, answered: Answered) -> None:
        """Asks once there is room; `answered` gets the unpacked answer while {@link run} runs."""
        self._queue.append((of, interface, method, parameters, answered))

    def read(self, of: Reference, interface: str, name: str, answered: Answered) -> None:
        """Asks for a property."""
        self.ask(of, _PROPERTIES, "Get", GLib.Variant("(ss)", (interface, name)), answered)

    def read_all(self, of: Reference, interface: str, answered: Answered) -> None:
        """Asks for all properties of an interface, as a dictionary."""
        self.ask(of, _PROPERTIES, "GetAll", GLib.Variant("(s)", (interface,)), answered)

    def run(self) -> None:
        """Until all is answered that was asked meanwhile, or the deadline is over."""
        while self._queue or self._under_way:
            if time.monotonic() > self.deadline:
                self.is_late = True
                self._queue.clear()
                self._cancelled.cancel()
            while self._queue and self._under_way < UNDER_WAY:
                self._send(*self._queue.popleft())
            if self._under_way:
                self._context.iteration(True)

    def _send(self, of: Reference, interface: str, method: str, parameters: Any, answered: Answered) -> None:
        application, path = of
        if application in self._silent:
            answered(None)
            return
        left = max(1, min(CALL_TIMEOUT, int((self.deadline - time.monotonic()) * 1000)))
        self._under_way += 1

        def take(connection: Gio.DBusConnection, result: Gio.AsyncResult) -> None:
            self._under_way -= 1
            try:
                value = connection.call_finish(result).unpack()
            except GLib.Error as error:
                if error.matches(Gio.io_error_quark(), Gio.IOErrorEnum.TIMED_OUT):
                    # It hangs, and would take as long for each of the calls that are left.
                    self._silent.add(application)
                    self.is_late = True
                answered(None)
                return
            answered(value[0] if len(value) == 1 else value)

        direct = self._direct.get(application)
        (direct or self._connection).call(
            None if direct else application, path, interface, method, parameters, None,
            Gio.DBusCallFlags.NO_AUTO_START, left, self._cancelled, take,
        )  # fmt: skip


def _address() -> str:
    session = Gio.bus_get_sync(Gio.BusType.SESSION, None)
    answer = session.call_sync(
        "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None, None,
        Gio.DBusCallFlags.NONE, 5000, None,
    )  # fmt: skip
    address: str = answer.unpack()[0]
    return address
