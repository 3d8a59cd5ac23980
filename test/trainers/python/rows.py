"""What the scripts beside this one have in common: their jobs come as a JSON file, their results go into one."""

import json
import sys


def texts(value):
    """Every text in a value, however deep."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from texts(list(value.values()))
    elif isinstance(value, list):
        for each in value:
            yield from texts(each)


def work(do):
    """Does each job of the file argv[1] and writes the results to argv[2], in the same order."""
    with open(sys.argv[1]) as jobs:
        results = [do(job) for job in json.load(jobs)]
    with open(sys.argv[2], "w") as file:
        json.dump(results, file)
