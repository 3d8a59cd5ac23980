"""The advantages of branches, from the equations of the papers. A job: {method, options, branches}."""

import math
import statistics
from collections import defaultdict

import rows


def standardised(values, scale):
    if len(values) < 2:
        return [0.0 for _ in values]
    middle = statistics.fmean(values)
    spread = statistics.stdev(values) + 1e-6 if scale == "std" else 1.0
    return [(value - middle) / spread for value in values]


def grpo(branches, options):
    credit = standardised([branch["reward"] for branch in branches], options["scale"])
    return [[credit[i]] * len(branch["steps"]) for i, branch in enumerate(branches)]


def rloo(branches, options):
    found = []
    for i, branch in enumerate(branches):
        others = [other["reward"] for j, other in enumerate(branches) if j != i]
        credit = branch["reward"] - statistics.fmean(others) if others else 0.0
        found.append([credit] * len(branch["steps"]))
    return found


def tree_grpo(branches, options):
    found = grpo(branches, options)
    for tree in {branch["tree"] for branch in branches}:
        within = [i for i, branch in enumerate(branches) if branch["tree"] == tree]
        for i, credit in zip(within, standardised([branches[i]["reward"] for i in within], options["scale"])):
            found[i] = [value + credit for value in found[i]]
    return found


def treerl(branches, options):
    leaves = defaultdict(list)
    for branch in branches:
        for node in [0] + [step["node"] for step in branch["steps"]]:
            leaves[branch["tree"], node].append(branch["reward"])
    found = []
    for branch in branches:
        tree, parent, credit = branch["tree"], 0, []
        for step in branch["steps"]:
            below = leaves[tree, step["node"]]
            value = statistics.fmean(below)
            overall = value - statistics.fmean(leaves[tree, 0])
            local = value - statistics.fmean(leaves[tree, parent])
            credit.append((overall + local) / math.sqrt(len(below)))
            parent = step["node"]
        found.append(credit)
    return found


def gigpo(branches, options):
    found = grpo(branches, options)
    met = defaultdict(list)
    for i, branch in enumerate(branches):
        for t, step in enumerate(branch["steps"]):
            later = branch["steps"][t:]
            gain = sum(options["discount"] ** k * each["reward"] for k, each in enumerate(later))
            if step["state"] is not None:
                met[step["state"]].append((i, t, gain))
    for together in met.values():
        for (i, t, _), credit in zip(together, standardised([gain for _, _, gain in together], options["scale"])):
            found[i][t] += options["step_weight"] * credit
    return found


def ppo(branches, options):
    found = []
    for branch in branches:
        steps = branch["steps"]
        values = [step["value"] for step in steps] + [0.0]
        deltas = [
            step["reward"] + options["discount"] * values[t + 1] - values[t] for t, step in enumerate(steps)
        ]
        decay = options["discount"] * options["lambda"]
        found.append([sum(decay**k * delta for k, delta in enumerate(deltas[t:])) for t in range(len(steps))])
    return found


METHODS = {"grpo": grpo, "rloo": rloo, "tree-grpo": tree_grpo, "treerl": treerl, "gigpo": gigpo, "ppo": ppo}

rows.work(lambda job: METHODS[job["method"]](job["branches"], job["options"]))
