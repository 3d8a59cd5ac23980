"""What calls of this package raise."""

from __future__ import annotations

from typing import Any


class EspalierError(Exception):
    """The base of every error of this package."""


class ApiError(EspalierError):
    """The service refused a request.

    ``message`` says what is wrong and what to do. Programs should branch on ``code``, which is never renamed.
    """

    def __init__(
        self, status: int, code: str, message: str, param: str | None = None, type: str | None = None
    ):
        super().__init__(f"{code}: {message}")
        self.status = status
        self.code = code
        self.message = message
        self.param = param
        self.type = type

    @classmethod
    def from_response(cls, status: int, body: Any) -> ApiError:
        """Reads ``{"error": {...}}``; a body of another shape, such as a proxy's, is quoted."""
        error = body.get("error") if isinstance(body, dict) else None
        if isinstance(error, dict):
            return cls(
                status,
                str(error.get("code", "unknown")),
                str(error.get("message", "")),
                error.get("param"),
                error.get("type"),
            )
        message = body.get("message") if isinstance(body, dict) else body
        # A gateway in front of the service refuses keys in its own words.
        if status in {401, 403} and message in {"Unauthorized", "Forbidden"}:
            text = "The service knows no such API key: it is missing, unknown, revoked or expired."
            return cls(status, "invalid_key", text)
        return cls(status, "unknown", f"The service answered {status}: {str(message)[:500]}")


class ServiceUnreachableError(EspalierError):
    """No service answers at the address, or the connection broke."""


class RunFailedError(EspalierError):
    """A run, dataset or training ended, or paused, without what was waited for."""


class MissingPackageError(EspalierError, ImportError):
    """A call needs an optional package that is not installed."""

    def __init__(self, package: str, extra: str):
        super().__init__(f'This needs {package}: pip install "espalier[{extra}]"')
