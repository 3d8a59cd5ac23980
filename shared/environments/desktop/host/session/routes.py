"""The routes of OSWorld's server in its machines, with their shapes, and some of our own."""

from __future__ import annotations

import mimetypes
import os
import platform
import shutil
import subprocess
import tempfile
import threading
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from accessibility_tree import read_tree
from accessible_facts import TreeBounds
from activity import used_seconds
from actor import Actor
from actor import TIMEOUT as ACT_TIMEOUT
from api_server import Answer, ApiError, Request, Route, file_answer, json_answer, text_answer
from commands_of_tasks import command_routes
from screen import Screen
from terminal_text import read_terminal

LISTED = 20_000
"""So many entries of a folder are listed, with all below it."""


def routes_of(screen: Screen, actor: Actor) -> dict[tuple[str, str], Route]:
    """By method and path."""
    tree_lock = threading.Lock()

    def screenshot(_: Request) -> Answer:
        return Answer(screen.take_picture(), "image/png")

    def accessibility(request: Request) -> Answer:
        is_short = request.query.get("showing") == "true"
        with tree_lock:
            tree = read_tree(TreeBounds(seconds=20 if is_short else 60), is_short)
        text = ElementTree.tostring(tree.root, encoding="unicode")
        return json_answer({"AT": text, "cut_by": sorted(tree.cut_by)})

    def terminal(_: Request) -> Answer:
        with tree_lock:
            return json_answer({"output": read_terminal(), "status": "success"})

    def screen_size(_: Request) -> Answer:
        width, height = screen.size
        return json_answer({"width": width, "height": height})

    def window_size(request: Request) -> Answer:
        class_name = request.form().get("app_class_name")
        if not class_name:
            raise ApiError(400, {"error": "app_class_name is required"})
        size = screen.window_size(class_name)
        if size is None:
            raise ApiError(404, {"error": f"No window of the class {class_name}."})
        return json_answer({"width": size[0], "height": size[1]})

    def cursor_position(_: Request) -> Answer:
        return json_answer(list(screen.pointer_position()))

    def act(request: Request) -> Answer:
        asked = request.json()
        code = asked.get("code")
        if not isinstance(code, str):
            raise ApiError(400, {"status": "error", "message": "code is required"})
        timeout = min(float(asked.get("timeout", ACT_TIMEOUT)), ACT_TIMEOUT)
        ended = actor.act(code, timeout)
        late = f"It took longer than {timeout:g} seconds." if ended.is_late else None
        return json_answer(
            {
                "status": "error" if ended.is_late else "success",
                "output": ended.output,
                "error": ended.error,
                "returncode": ended.returncode,
                **({"message": late} if late else {}),
            }
        )

    return {
        ("GET", "/screenshot"): screenshot,
        ("GET", "/accessibility"): accessibility,
        ("GET", "/terminal"): terminal,
        ("GET", "/platform"): lambda _: text_answer(platform.system()),
        ("GET", "/cursor_position"): cursor_position,
        ("POST", "/screen_size"): screen_size,
        ("POST", "/window_size"): window_size,
        ("POST", "/desktop_path"): _desktop_path,
        ("POST", "/wallpaper"): _wallpaper,
        ("POST", "/list_directory"): _list_directory,
        ("POST", "/file"): _file,
        ("POST", "/setup/upload"): _upload,
        ("POST", "/setup/download_file"): _download,
        ("POST", "/setup/change_wallpaper"): _change_wallpaper,
        ("POST", "/espalier/act"): act,
        ("GET", "/espalier/activity"): lambda _: json_answer({"cpu_seconds": used_seconds()}),
        ("GET", "/espalier/health"): lambda _: json_answer({"status": "ok"}),
        **command_routes(),
    }


def path_of(text: str) -> Path:
    """As OSWorld's server reads paths: `~` and variables of the environment are replaced."""
    return Path(os.path.expandvars(os.path.expanduser(text)))


def _desktop_path(_: Request) -> Answer:
    path = Path.home() / "Desktop"
    if not path.is_dir():
        raise ApiError(404, {"error": "Unsupported operating system or desktop path not found"})
    return json_answer({"desktop_path": str(path)})


def _wallpaper(_: Request) -> Answer:
    answer = subprocess.run(
        ["gsettings", "get", "org.gnome.desktop.background", "picture-uri"],
        capture_output=True, text=True, timeout=10,
    )  # fmt: skip
    path = Path(answer.stdout.strip().strip("'").removeprefix("file://"))
    return file_answer(path, "image/png")


def _change_wallpaper(request: Request) -> Answer:
    path = _existing(request)
    subprocess.run(
        ["gsettings", "set", "org.gnome.desktop.background", "picture-uri", f"file://{path}"],
        timeout=10, check=True,
    )  # fmt: skip
    subprocess.run(["pcmanfm", f"--set-wallpaper={path}", "--wallpaper-mode=crop"], timeout=10)
    return text_answer("Wallpaper changed successfully")


def _existing(request: Request) -> Path:
    text = request.json().get("path")
    if not text:
        raise ApiError(400, "Path not supplied!")
    path = path_of(text)
    if not path.exists():
        raise ApiError(404, f"File not found: {path}")
    return path


def _list_directory(request: Request) -> Answer:
    asked = request.json()
    if "path" not in asked:
        raise ApiError(400, {"error": "Missing 'path' parameter"})
    if not os.path.isdir(asked["path"]):
        raise ApiError(400, {"error": "The provided path is not a directory"})
    left = LISTED

    def list_folder(folder: str) -> dict[str, Any]:
        nonlocal left
        children: list[dict[str, Any]] = []
        try:
            for entry in os.listdir(folder):
                if left == 0:
                    break
                left -= 1
                path = os.path.join(folder, entry)
                # A link to a folder above would be followed without end.
                is_folder = os.path.isdir(path) and not os.path.islink(path)
                children.append(list_folder(path) if is_folder else {"type": "file", "name": entry})
        except OSError as error:
            return {"error": str(error)}
        return {"type": "directory", "name": os.path.basename(folder), "children": children}

    return json_answer({"directory_tree": list_folder(asked["path"])})


def _file(request: Request) -> Answer:
    text = request.form().get("file_path")
    if text is None:
        raise ApiError(400, {"error": "file_path is required"})
    path = path_of(text)
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return file_answer(path, kind, {"Content-Disposition": "attachment"})


def _upload(request: Request) -> Answer:
    with tempfile.NamedTemporaryFile(delete=False) as file:
        try:
            fields = request.multipart(file)
            if "file_path" not in fields or "file_data" not in fields:
                raise ApiError(400, {"error": "file_path and file_data are required"})
            file.flush()
            path = path_of(fields["file_path"])
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file.name, path)
        finally:
            os.unlink(file.name)
    return text_answer("File Uploaded")


def _download(request: Request) -> Answer:
    asked = request.json()
    url, text = asked.get("url"), asked.get("path")
    if not url or not text:
        raise ApiError(400, "Path or URL not supplied!")
    path = path_of(text)
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with urllib.request.urlopen(url, timeout=60) as answer, open(path, "wb") as file:
            shutil.copyfileobj(answer, file)
    except (OSError, ValueError, urllib.error.URLError) as error:
        raise ApiError(500, f"Failed to download {url}. Error: {error}") from error
    return text_answer("File downloaded successfully")
