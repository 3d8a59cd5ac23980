"""A dataset of training rows, for programs with an event loop."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from . import _calls, models
from ._handle import AsyncHandle
from ._optional import progress_bar
from .dataset import is_complete
from .errors import EspalierError, RunFailedError

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
        """Its files with addresses that download them for a quarter of an hour."""
        found: list[models.SignedFile] = []
        after: str | None = None
        while True:
            page = await self._transport.send(_calls.dataset_files(self.id, limit=1000, after=after))
            found += page.data
            if not page.has_more:
                return found
            after = page.last_id

    async def readme(self) -> str:
        """What it is, and how each trainer loads it."""
        return await self._transport.send(_calls.dataset_readme(self.id))

    async def download(self, folder: str | Path, *, progress: bool = True) -> Path:
        """Writes every file below the folder, as :meth:`Dataset.download`.

        :raises EspalierError: if a file differs from its SHA-256
        """
        await self.wait(progress=progress)
        target = Path(folder)
        aside = target / ".partial"
        files = await self.files()
        bar = progress_bar(len(files), self.id, progress)
        try:
            for file in files:
                if not any(is_complete(place / file.name, file.sha256) for place in (target, aside)):
                    await self._transport.download(file.url, aside / file.name)
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
