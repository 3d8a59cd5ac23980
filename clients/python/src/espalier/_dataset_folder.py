"""The folder that a dataset is downloaded into."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import shutil
from pathlib import Path

from . import models
from .errors import EspalierError

SHARD = re.compile(r"-\d{5}\.(jsonl|json|parquet)(\.gz)?$")
NO_ROWS = "There are no rows"
"""The warning of a dataset without rows begins so."""


def check_rows(dataset: models.Dataset) -> None:
    """:raises EspalierError: if the dataset has no rows, with the reasons"""
    if dataset.rows == 0:
        whys = (each for each in dataset.warnings if each.startswith(NO_ROWS))
        raise EspalierError(f"The dataset {dataset.id} was not downloaded. {next(whys, NO_ROWS + '.')}")


class DatasetFolder:
    """Files get their names when all of them are complete. Until then they are in ``.partial``.

    ``.unpacked.json`` has the SHA-256 of each unpacked file, and of the stored file that it came from.
    """

    def __init__(self, folder: str | Path, files: list[models.SignedFile], *, reads_gzip: bool):
        """
        :param reads_gzip: as the dataset's format states it. If false, data files are unpacked
        :raises EspalierError: if the folder has data files that the dataset does not name
        """
        self.path = Path(folder)
        self._aside = self.path / ".partial"
        packed = [] if reads_gzip else [file.name for file in files if _is_packed(file.name)]
        self._unpacked_names = {name: name.removesuffix(".gz") for name in packed}
        self._record = self.path / ".unpacked.json"
        self._digests: dict[str, list[str]] = self._read_record()
        self._stored: dict[str, Path] = {}
        self._sha256 = {file.name: file.sha256 for file in files}
        self._refuse_others({file.name for file in files} | set(self._unpacked_names.values()))

    def place_of(self, file: models.SignedFile) -> Path:
        """The path for its download."""
        return self._aside / file.name

    def has(self, file: models.SignedFile) -> bool:
        """True if an earlier download completed it."""
        if self._is_unpacked(file.name):
            return True
        for place in (self.path, self._aside):
            if _is_complete(place / file.name, file.sha256):
                self._stored[file.name] = place / file.name
                return True
        return False

    def check(self, file: models.SignedFile) -> None:
        """:raises EspalierError: if the downloaded file differs from its SHA-256"""
        path = self.place_of(file)
        if not _is_complete(path, file.sha256):
            path.unlink()
            raise EspalierError(f"{file.name} differs from its SHA-256. Download it again.")
        self._stored[file.name] = path

    def finish(self) -> Path:
        """Gives the complete files their names."""
        self._aside.mkdir(parents=True, exist_ok=True)
        self._forget_finished()
        final = {name: self._unpack(name) if name in self._unpacked_names else path for name, path in self._stored.items()}
        for name, path in final.items():
            target = self.path / self._unpacked_names.get(name, name)
            target.parent.mkdir(parents=True, exist_ok=True)
            path.replace(target)
        if self._unpacked_names and self._stored:
            record = self._aside / self._record.name
            record.write_text(json.dumps(self._digests))
            record.replace(self._record)
        for name in self._unpacked_names:
            (self.path / name).unlink(missing_ok=True)
        shutil.rmtree(self._aside, ignore_errors=True)
        return self.path

    def _is_unpacked(self, name: str) -> bool:
        if name not in self._unpacked_names:
            return False
        unpacked = self._unpacked_names[name]
        stored, digest = self._digests.get(unpacked, ["", ""])
        return stored == self._sha256[name] and _is_complete(self.path / unpacked, digest)

    def _read_record(self) -> dict[str, list[str]]:
        return json.loads(self._record.read_text()) if self._record.exists() else {}

    def _forget_finished(self) -> None:
        # Another process that downloads the dataset here too may have moved a file meanwhile.
        gone = [name for name, path in self._stored.items() if not path.exists()]
        if gone:
            self._digests = self._read_record()
        for name in gone:
            if self._is_unpacked(name) or _is_complete(self.path / name, self._sha256[name]):
                del self._stored[name]

    def _unpack(self, name: str) -> Path:
        stored = self._stored[name]
        path = self._aside / self._unpacked_names[name]
        with gzip.open(stored) as packed, path.open("wb") as file:
            shutil.copyfileobj(packed, file)
        self._digests[self._unpacked_names[name]] = [_digest_of(stored), _digest_of(path)]
        return path

    def _refuse_others(self, own: set[str]) -> None:
        found = [path.name for path in self.path.iterdir()] if self.path.is_dir() else []
        others = sorted(name for name in found if SHARD.search(name) and name not in own)
        if others:
            more = "" if len(others) == 1 else f" and {len(others) - 1} more like it"
            raise EspalierError(
                f"{self.path} holds {others[0]}{more}, which trainers would read too. Empty the folder, or name another."
            )


def _is_packed(name: str) -> bool:
    return name.endswith(".gz") and not name.startswith("lineage-")


def _is_complete(path: Path, sha256: str) -> bool:
    return path.exists() and _digest_of(path) == sha256


def _digest_of(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
