"""What is on the screen: pictures of it with the pointer, its size, and the windows on it."""

from __future__ import annotations

import io
import os
import threading
from array import array

from PIL import Image, ImageGrab
from Xlib import X, error
from Xlib.display import Display


class Screen:
    """A connection to the display, for one thread at a time."""

    def __init__(self) -> None:
        self._name = os.environ["DISPLAY"]
        self._display = Display(self._name)
        self._lock = threading.Lock()
        if self._display.has_extension("XFIXES"):
            self._display.xfixes_query_version()

    @property
    def size(self) -> tuple[int, int]:
        screen = self._display.screen()
        return screen.width_in_pixels, screen.height_in_pixels

    def take_picture(self) -> bytes:
        """The screen with the pointer, as PNG."""
        picture = ImageGrab.grab(xdisplay=self._name)
        with self._lock:
            pointer = self._display.xfixes_get_cursor_image(self._display.screen().root)
        drawn = _picture_of(pointer.cursor_image, pointer.width, pointer.height)
        picture.paste(drawn, (pointer.x - pointer.xhot, pointer.y - pointer.yhot), drawn)
        file = io.BytesIO()
        picture.save(file, "PNG", compress_level=1)
        return file.getvalue()

    def pointer_position(self) -> tuple[int, int]:
        with self._lock:
            at = self._display.screen().root.query_pointer()
        return at.root_x, at.root_y

    def is_managed(self) -> bool:
        """Whether a window manager is at work."""
        with self._lock:
            root = self._display.screen().root
            name = self._display.intern_atom("_NET_SUPPORTING_WM_CHECK")
            return root.get_full_property(name, X.AnyPropertyType) is not None

    def window_size(self, class_name: str) -> tuple[int, int] | None:
        """The size of the first window of a class, by either of its two names; None: there is none."""
        with self._lock:
            root = self._display.screen().root
            windows = root.get_full_property(
                self._display.intern_atom("_NET_CLIENT_LIST"), X.AnyPropertyType
            )
            for number in windows.value if windows is not None else []:
                try:
                    window = self._display.create_resource_object("window", number)
                    names = window.get_wm_class() or ()
                    if class_name.lower() in (name.lower() for name in names):
                        geometry = window.get_geometry()
                        return geometry.width, geometry.height
                except error.XError:
                    # It was closed meanwhile.
                    continue
        return None


def _picture_of(pixels: list[int], width: int, height: int) -> Image.Image:
    """A pointer's picture, whose colours X gives multiplied by their opacity."""
    packed = array("I", pixels).tobytes()
    return Image.frombytes("RGBa", (width, height), packed, "raw", "BGRa").convert("RGBA")
