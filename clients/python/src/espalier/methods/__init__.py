"""Methods written in Python: how an agent plays an episode, as one function over its scope.

``espalier run --method ./beam.py`` plays what a file defines. The service keeps journal, tree, limits and costs; after a kill it
calls the function again, and answers what was asked before from the journal.
"""

from .._pictures import SentPicture, picture
from .method import Method, method
from .scope import AsyncScope, Scope
from .values import (
    Answer,
    Answered,
    CallSettings,
    Fork,
    ForkResult,
    Message,
    Node,
    Note,
    Picture,
    Proposal,
    TokenLogprob,
    Tool,
    ToolCall,
)

__all__ = [
    "Answer",
    "Answered",
    "AsyncScope",
    "CallSettings",
    "Fork",
    "ForkResult",
    "Message",
    "Method",
    "Node",
    "Note",
    "Picture",
    "Proposal",
    "Scope",
    "SentPicture",
    "TokenLogprob",
    "Tool",
    "ToolCall",
    "method",
    "picture",
]
