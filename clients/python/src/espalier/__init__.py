"""Espalier from Python: runs, trees, datasets and reports of LLM agents, and environments of your own.

The shapes of the API are in ``espalier.models``; environments are written with ``espalier.environments``.
"""

from .async_client import AsyncClient, AsyncRun
from .client import Client
from .dataset import Dataset
from .errors import ApiError, EspalierError, MissingPackageError, RunFailedError, ServiceUnreachableError
from .report import Comparison, Report
from .run import Run
from .service import Service, ServiceNotStartedError, start_service
from .tree import Tree

__version__ = "0.1.0"

__all__ = [
    "ApiError",
    "AsyncClient",
    "AsyncRun",
    "Client",
    "Comparison",
    "Dataset",
    "EspalierError",
    "MissingPackageError",
    "Report",
    "Run",
    "RunFailedError",
    "Service",
    "ServiceNotStartedError",
    "ServiceUnreachableError",
    "Tree",
    "start_service",
]
