"""Adapters that give trainers by reinforcement the groups of a rollout."""
