"""Methods written in Python: how an agent plays an episode, as one function over its scope.

``espalier run --method ./beam.py`` plays what a file defines. The service keeps journal, tree, limits and costs; after a kill it
calls the function again, and answers what was asked before from the journal.
"""

from .method import Method, method
from .scope import AsyncScope, Scope
from .values import Answered, Fork, ForkResult, Message, Node, Note, Proposal

__all__ = [
    "Answered",
    "AsyncScope",
    "Fork",
    "ForkResult",
    "Message",
    "Method",
    "Node",
    "Note",
    "Proposal",
    "Scope",
    "method",
]
