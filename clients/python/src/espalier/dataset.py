"""A dataset of training rows, built by the service."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _calls, models
from ._dataset_folder import DatasetFolder, check_rows
from ._handle import Handle
from ._optional import need, progress_bar
from .errors import ApiError, RunFailedError

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
        """Its files with addresses that download them for an hour."""
        return list(self._transport.items(_calls.dataset_files(self.id)))

    def readme(self) -> str:
        """What it is, and how each trainer loads it."""
        return self._transport.send(_calls.dataset_readme(self.id))

    def download(self, folder: str | Path, *, progress: bool = True) -> Path:
        """Writes every file below the folder, and leaves alone complete files of an earlier download.

        Files get their names when all of them are complete. Until then they are in ``.partial``, from which a download
        that broke off continues. Data files are unpacked if the trainers of the format cannot read gzip.

        :raises EspalierError: if the dataset has no rows, a file differs from its SHA-256, or the folder has data files of another dataset
        """
        self.wait(progress=progress)
        check_rows(self.data)
        files = self.files()
        target = DatasetFolder(folder, files, reads_gzip=self._reads_gzip())
        addresses = {file.name: file.url for file in files}
        bar = progress_bar(len(files), self.id, progress)
        try:
            for file in files:
                if not target.has(file):
                    try:
                        self._transport.download(addresses[file.name], target.place_of(file))
                    except ApiError as error:
                        if error.status != 403:
                            raise
                        # The addresses have expired.
                        addresses = {each.name: each.url for each in self.files()}
                        self._transport.download(addresses[file.name], target.place_of(file))
                    target.check(file)
                bar.update(1)
        finally:
            bar.close()
        return target.finish()

    def _reads_gzip(self) -> bool:
        formats = self._transport.items(_calls.dataset_formats())
        return all(each.reads_gzip for each in formats if each.id == self.data.request.format)

    def to_hf(self, folder: str | Path | None = None, *, progress: bool = True, **load: object) -> datasets.DatasetDict:
        """Downloads it and opens it with Hugging Face's ``datasets``.

        :param folder: where the files are kept; ``~/.cache/espalier/datasets/{id}`` unless given
        :param load: further arguments of ``datasets.load_dataset``, such as ``split``
        """
        library = need("datasets", "datasets")
        place = Path(folder) if folder is not None else Path.home() / ".cache/espalier/datasets" / self.id
        return library.load_dataset(str(self.download(place, progress=progress)), **load)
