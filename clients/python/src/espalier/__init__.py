"""Espalier from Python: runs, trees, datasets and reports of LLM agents, and environments of your own.

The shapes of the API are in ``espalier.models``; environments are written with ``espalier.environments``.
"""

import importlib
import pkgutil
import sys
from typing import TYPE_CHECKING

if sys.version_info < (3, 10):
    raise ImportError(
        "espalier requires Python 3.10 or later, and this is {}.{}. "
        "Name another in ESPALIER_PYTHON.".format(*sys.version_info[:2])
    )

if TYPE_CHECKING:
    from .async_client import AsyncClient, AsyncRun
    from .client import Client
    from .async_dataset import AsyncDataset
    from .async_jobs import AsyncLoop, AsyncTraining
    from .dataset import Dataset
    from .embed import Embed
    from .errors import (
        ApiError,
        EspalierError,
        MissingPackageError,
        RunFailedError,
        ServiceUnreachableError,
    )
    from .jobs import Loop, Training
    from .report import Comparison, Report
    from .async_rollout import AsyncRollout
    from .rollout import Rollout
    from .run import Run
    from .service import Service, ServiceNotStartedError, start_service
    from .tree import Tree

__version__ = "0.1.0"

# The service's own copy comes first on a program's path, and an installed package adds the generated models.
__path__ = pkgutil.extend_path(__path__, __name__)

_homes = {
    "async_client": ("AsyncClient", "AsyncRun"),
    "async_dataset": ("AsyncDataset",),
    "async_jobs": ("AsyncLoop", "AsyncTraining"),
    "client": ("Client",),
    "dataset": ("Dataset",),
    "embed": ("Embed",),
    "errors": (
        "ApiError",
        "EspalierError",
        "MissingPackageError",
        "RunFailedError",
        "ServiceUnreachableError",
    ),
    "jobs": ("Loop", "Training"),
    "models": (),
    "requests": (),
    "report": ("Comparison", "Report"),
    "async_rollout": ("AsyncRollout",),
    "rollout": ("Rollout",),
    "run": ("Run",),
    "service": ("Service", "ServiceNotStartedError", "start_service"),
    "tree": ("Tree",),
}


# Hidden from type checkers, which else find any attribute.
if not TYPE_CHECKING:

    def __getattr__(name):
        """Loads the client on first use: environments and scorers need the standard library alone."""
        for home, names in _homes.items():
            if name == home or name in names:
                module = importlib.import_module(f".{home}", __name__)
                return module if name == home else getattr(module, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "ApiError",
    "AsyncClient",
    "AsyncDataset",
    "AsyncLoop",
    "AsyncRollout",
    "AsyncRun",
    "AsyncTraining",
    "Client",
    "Comparison",
    "Dataset",
    "Embed",
    "EspalierError",
    "Loop",
    "MissingPackageError",
    "Report",
    "Rollout",
    "Run",
    "RunFailedError",
    "Service",
    "ServiceNotStartedError",
    "ServiceUnreachableError",
    "Training",
    "Tree",
    "start_service",
]
