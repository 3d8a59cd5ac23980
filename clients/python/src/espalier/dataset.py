"""A dataset of training rows, built by the service."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _calls, models
from ._handle import Handle
from ._optional import need, progress_bar
from .errors import EspalierError, RunFailedError

if TYPE_CHECKING:
    import datasets
    from typing_extensions import Self, Unpack

    from .requests import LabelSettings


class Dataset(Handle[models.Dataset]):
    """``data`` is the dataset as it was read last."""

    _read = staticmethod(_calls.dataset)
    _unit = "part"

    def wait(self, *, progress: bool = True, timeout: float | None = None, poll: float = 0.5) -> Self:
        """
        :param timeout: seconds; the build goes on after them
        :raises RunFailedError: where the build failed, with the reason
        """
        self._poll(progress, timeout, poll)
        if self.status == "failed":
            raise RunFailedError(f"{self.id} failed: {self.data.error}")
        return self

    def _reached(self) -> tuple[int, int]:
        return self.data.progress.parts_done, self.data.progress.parts

    def label(self, **labels: Unpack[LabelSettings]) -> Self:
        """Names, tags, notes or archives it."""
        return self._replace(_calls.label_dataset(self.id, dict(labels)))

    def files(self) -> list[models.SignedFile]:
        """Its files with addresses that download them for a quarter of an hour."""
        found: list[models.SignedFile] = []
        after: str | None = None
        while True:
            page = self._transport.send(_calls.dataset_files(self.id, limit=1000, after=after))
            found += page.data
            if not page.has_more:
                return found
            after = page.last_id

    def readme(self) -> str:
        """What it is, and how each trainer loads it."""
        return self._transport.send(_calls.dataset_readme(self.id))

    def download(self, folder: str | Path, *, progress: bool = True) -> Path:
        """Writes every file below the folder, and leaves alone complete files of an earlier download.

        Files get their names when all of them are complete. Until then they are in ``.partial``, from which a download
        that broke off continues.

        :raises EspalierError: if a file differs from its SHA-256
        """
        self.wait(progress=progress)
        target = Path(folder)
        aside = target / ".partial"
        files = self.files()
        bar = progress_bar(len(files), self.id, progress)
        try:
            for file in files:
                if not any(is_complete(place / file.name, file.sha256) for place in (target, aside)):
                    self._transport.download(file.url, aside / file.name)
                    if not is_complete(aside / file.name, file.sha256):
                        (aside / file.name).unlink()
                        raise EspalierError(f"{file.name} differs from its SHA-256. Download it again.")
                bar.update(1)
        finally:
            bar.close()
        for file in files:
            if (aside / file.name).exists():
                (target / file.name).parent.mkdir(parents=True, exist_ok=True)
                (aside / file.name).replace(target / file.name)
        shutil.rmtree(aside, ignore_errors=True)
        return target

    def to_hf(self, folder: str | Path | None = None, *, progress: bool = True, **load: object) -> datasets.DatasetDict:
        """Downloads it and opens it with Hugging Face's ``datasets``.

        :param folder: where the files are kept; ``~/.cache/espalier/datasets/{id}`` unless given
        :param load: further arguments of ``datasets.load_dataset``, such as ``split``
        """
        library = need("datasets", "datasets")
        place = Path(folder) if folder is not None else Path.home() / ".cache/espalier/datasets" / self.id
        return library.load_dataset(str(self.download(place, progress=progress)), **load)


def is_complete(path: Path, sha256: str) -> bool:
    """Whether the file is there and has the digest."""
    return path.exists() and digest_of(path) == sha256


def digest_of(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
