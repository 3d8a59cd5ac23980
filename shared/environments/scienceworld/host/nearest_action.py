"""The valid action that is most like what a model wrote.

As Agent-R plays ScienceWorld (Yuan et al. 2025, arXiv 2501.11425, its `findValidActionNew`): every answer becomes some
action, the one that shares most words with it, of equals the shortest.
"""
import re

ROOMS = (
    "hallway",
    "greenhouse",
    "green house",
    "kitchen",
    "bathroom",
    "outside",
    "workshop",
    "art studio",
    "foundry",
    "bedroom",
    "living room",
)

# Focusing on one of these is never what a task asks for, and a wrong focus makes the task fail.
NEVER_IN_FOCUS = ("agent", "air", *ROOMS)

FOCUS_WORDS = ("focus", "on", "in", "to")


def nearest_action(written, valid, look, inventory):
    """The action to take for what was written.

    valid: the actions that the simulator lists, in its order; look, inventory: what is seen and carried.
    """
    written = written.replace("green house", "greenhouse").strip()
    candidates = _candidates(valid, look, inventory)
    if written in candidates:
        return written
    words = set(written.split())
    best, most = written, 0
    # Sorting is stable: of actions of one length the one that the simulator lists first.
    for candidate in sorted(candidates, key=len):
        shared = len(words & set(candidate.split()))
        if shared > most:
            best, most = candidate, shared
    return re.sub(r"[^A-Za-z0-9 ]", "", best)


def _candidates(valid, look, inventory):
    never = {f"focus on {thing}" for thing in NEVER_IN_FOCUS}
    # Of what is listed twice, the first.
    listed = dict.fromkeys([*valid, *(f"open door to {room}" for room in ROOMS)])
    seen = f"{look} {inventory.lower()}"
    return [action for action in listed if action not in never and _is_candidate(action, seen)]


def _is_candidate(action, seen):
    if "door" in action and "open" not in action:
        return False
    if not action.startswith("focus on "):
        return True
    return all(word in seen for word in action.split() if word not in FOCUS_WORDS)
