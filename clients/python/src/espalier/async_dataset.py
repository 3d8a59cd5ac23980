"""A dataset of training rows, for programs with an event loop."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from . import _calls, models
from ._dataset_folder import DatasetFolder, check_rows
from ._handle import AsyncHandle
from ._optional import progress_bar
from .errors import ApiError, RunFailedError

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from .requests import LabelSettings


class AsyncDataset(AsyncHandle[models.Dataset]):
    """``data`` is the dataset as it was read last."""

    _read = staticmethod(_calls.dataset)
    _unit = "part"

    async def wait(self, *, progress: bool = True, timeout: float | None = None, poll: float = 0.5) -> Self:
        """
        :param timeout: seconds; the build goes on after them
        :raises RunFailedError: where the build failed, with the reason
        """
        await self._poll(progress, timeout, poll)
        if self.status == "failed":
            raise RunFailedError(f"{self.id} failed: {self.data.error}")
        return self

    def _reached(self) -> tuple[int, int]:
        return self.data.progress.parts_done, self.data.progress.parts

    async def label(self, **labels: Unpack[LabelSettings]) -> Self:
        """Names, tags, notes or archives it."""
        return await self._replace(_calls.label_dataset(self.id, dict(labels)))

    async def files(self) -> list[models.SignedFile]:
        """Its files with addresses that download them for an hour."""
        return [each async for each in self._transport.items(_calls.dataset_files(self.id))]

    async def readme(self) -> str:
        """What it is, and how each trainer loads it."""
        return await self._transport.send(_calls.dataset_readme(self.id))

    async def download(self, folder: str | Path, *, progress: bool = True) -> Path:
        """Writes every file below the folder, as :meth:`Dataset.download`.

        :raises EspalierError: if the dataset has no rows, a file differs from its SHA-256, or the folder has data files of another dataset
        """
        await self.wait(progress=progress)
        check_rows(self.data)
        files = await self.files()
        target = DatasetFolder(folder, files, reads_gzip=await self._reads_gzip())
        addresses = {file.name: file.url for file in files}
        bar = progress_bar(len(files), self.id, progress)
        try:
            for file in files:
                if not target.has(file):
                    try:
                        await self._transport.download(addresses[file.name], target.place_of(file))
                    except ApiError as error:
                        if error.status != 403:
                            raise
                        # The addresses have expired.
                        addresses = {each.name: each.url for each in await self.files()}
                        await self._transport.download(addresses[file.name], target.place_of(file))
                    target.check(file)
                bar.update(1)
        finally:
            bar.close()
        return target.finish()

    async def _reads_gzip(self) -> bool:
        formats = [each async for each in self._transport.items(_calls.dataset_formats())]
        return all(each.reads_gzip for each in formats if each.id == self.data.request.format)
