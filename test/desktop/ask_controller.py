"""Asks a desktop by desktop-env's own controllers, and writes what they understood as JSON.

Arguments: the folder of desktop-env's package, the address of the desktop, and a file to upload.
"""
import json
import sys
import types
from pathlib import Path
from unittest.mock import MagicMock
from urllib.parse import urlsplit

sys.path.append(sys.argv[1])
for package in ("desktop_env", "desktop_env.controllers", "desktop_env.providers", "desktop_env.providers.aws"):
    module = types.ModuleType(package)
    module.__path__ = [str(Path(sys.argv[1], *package.split(".")))]
    sys.modules[package] = module
for absent in ("desktop_env.evaluators", "desktop_env.evaluators.metrics", "desktop_env.evaluators.metrics.utils",
               "desktop_env.providers.aws.proxy_pool", "playwright", "playwright.sync_api", "pydrive", "pydrive.auth",
               "pydrive.drive", "dotenv"):
    sys.modules[absent] = MagicMock()

from desktop_env.controllers.python import PythonController  # noqa: E402
from desktop_env.controllers.setup import SetupController  # noqa: E402

place = urlsplit(sys.argv[2])
upload = sys.argv[3]
controller = PythonController(place.hostname, place.port)
setup = SetupController(place.hostname, place.port, cache_dir=str(Path(upload).parent))

setup._upload_file_setup([{"local_path": upload, "path": "~/Documents/new/upload.bin"}])
picture = controller.get_screenshot()
Path(upload).with_name("wallpaper.png").write_bytes(picture)
setup._upload_file_setup([{"local_path": str(Path(upload).with_name("wallpaper.png")), "path": "~/Pictures/wallpaper.png"}])
setup._change_wallpaper_setup("~/Pictures/wallpaper.png")
tree = controller.get_vm_directory_tree("/home/user")
print(json.dumps({
    "picture": picture[:4] == b"\x89PNG",
    "tree": controller.get_accessibility_tree().startswith("<desktop-frame"),
    "platform": controller.get_vm_platform(),
    "screen": controller.get_vm_screen_size(),
    "window": controller.get_vm_window_size("fields"),
    "desktop_path": controller.get_vm_desktop_path(),
    "folders": sorted(child["name"] for child in tree["children"] if not child["name"].startswith(".")),
    "script": controller.run_bash_script("echo one"),
    "python": controller.run_python_script("print('three')")["output"],
    "uploaded": controller.get_file("~/Documents/new/upload.bin") == Path(upload).read_bytes(),
    "wallpaper": controller.get_vm_wallpaper() == picture,
}))
