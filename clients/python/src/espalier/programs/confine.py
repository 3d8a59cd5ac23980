"""Takes a process's rights before it reads or runs a model's program."""

from __future__ import annotations

import ctypes
import os
import platform
import resource
import struct
from typing import Any

#: By machine: its number for the kernel, and the system calls that computing needs, by their numbers there. Memory, time, signals of
#: its own, the answer and the end; none that opens, connects, forks, or names a process.
CALLS = {
    "x86_64": (0xC000003E, [0, 1, 3, 5, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 28, 39, 60, 96, 202, 219, 228, 231, 318, 334]),
    "aarch64": (0xC00000B7, [57, 62, 63, 64, 80, 93, 94, 98, 113, 124, 128, 134, 135, 139, 169, 172, 214, 215, 216, 222, 226, 233, 278, 293]),
}  # fmt: skip

SET_SECCOMP, SET_NO_NEW_PRIVILEGES, FILTER = 22, 38, 2
LOAD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
REFUSE, ALLOW = 0x00050001, 0x7FFF0000


def confine(*, keep: int, memory: int, seconds: float) -> None:
    """Leaves one open file, and neither further files, network, children nor signals: by limits, and on Linux by a filter of calls.

    :param memory: bytes that the process may take beside its present ones
    """
    mapped = mapped_bytes()
    os.environ.clear()
    os.closerange(0, keep)
    os.closerange(keep + 1, 256)
    lower(resource.RLIMIT_CPU, int(seconds) + 1)
    for limit in (resource.RLIMIT_NPROC, resource.RLIMIT_FSIZE, resource.RLIMIT_CORE, resource.RLIMIT_NOFILE):
        lower(limit, 0)
    lower(resource.RLIMIT_AS, mapped + memory)
    filter_calls()


def lower(limit: int, most: int) -> None:
    _, hard = resource.getrlimit(limit)
    allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(limit, (allowed, allowed))


def mapped_bytes() -> int:
    """The address space as Linux counts it; elsewhere a usual number."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[0]) * resource.getpagesize()
    except OSError:
        return 2**30


def filter_calls() -> None:
    """Refuses every other system call. A kernel without such filters leaves the limits alone."""
    known = CALLS.get(platform.machine()) if platform.system() == "Linux" else None
    if known is None:
        return
    machine, allowed = known
    rows = [(LOAD, 0, 0, 4), (JUMP_IF_EQUAL, 1, 0, machine), (RETURN, 0, 0, REFUSE), (LOAD, 0, 0, 0)]
    rows += [(JUMP_IF_EQUAL, len(allowed) - at, 0, call) for at, call in enumerate(allowed)]
    rows += [(RETURN, 0, 0, REFUSE), (RETURN, 0, 0, ALLOW)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *row) for row in rows))
    program = ctypes.create_string_buffer(struct.pack("HP", len(rows), ctypes.addressof(code)))
    control = ctypes.CDLL(None).prctl
    control(SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    control(SET_SECCOMP, FILTER, ctypes.byref(program), 0, 0)


def refuse(event: str, values: tuple[Any, ...]) -> None:
    """An audit hook, for systems without a filter of calls. It names nothing that a program could replace."""
    if event == "object.__setattr__" and values[1] != "__code__":
        return
    if event not in {
        "builtins.id",
        "compile",
        "exec",
        "import",
        "object.__getattr__",
        "sys._getframe",
        "sys._getframemodulename",
    }:
        raise PermissionError(f"A program has only act, and may not do this: {event}.")
