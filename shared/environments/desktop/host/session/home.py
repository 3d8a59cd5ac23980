"""The home folder of a session: its folders, and settings by which programs start without asking anything."""

from __future__ import annotations

import shutil
from pathlib import Path

FOLDERS = ("Desktop", "Documents", "Downloads", "Music", "Pictures", "Public", "Templates", "Videos")

SETTINGS = Path(__file__).with_name("home")
"""
Settings as programs keep them. Nothing blinks and nothing glides, so that two pictures of a desktop at rest are equal;
no window has tips, news or questions about privacy.
"""

OFFICE = ".config/libreoffice/4/user/registrymodifications.xcu"


def fill_home(home: Path, office_version: str) -> None:
    """Adds what is not there yet, so that a home that was copied keeps what it has."""
    for name in FOLDERS:
        (home / name).mkdir(parents=True, exist_ok=True)
    for folder in (Path("/etc/skel"), SETTINGS):
        for path in folder.rglob("*"):
            place = home / path.relative_to(folder)
            if path.is_file() and not place.exists():
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, place)
                if path == SETTINGS / OFFICE:
                    # Of another version it would show what is new.
                    place.write_text(place.read_text().replace("{office_version}", office_version))
