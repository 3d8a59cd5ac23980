"""Sends generated requests to a service and checks every answer against its OpenAPI document.

Bodies and parameters come from schemathesis, ids from earlier answers. The last line of the output is a report in JSON.
`FUZZ_KEY` holds the key of a tenant and `FUZZ_KEY_ID` its id. `FUZZ_OPERATOR` holds the operator's secret, for operations that no
key may call; these go to another tenant.
"""

import argparse
import collections
import hashlib
import json
import os
import random
import re
import sys
import threading
import time
import traceback
import urllib.parse
from typing import Any

import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.core.failures import Failure, FailureGroup
from schemathesis.specs.openapi import checks

from known_ids import KnownIds, owner_paths

CHECKS = [
    schemathesis.checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
]
IDLE = 5
"""Seconds without a byte after which the events of a run that has not ended are left."""
ROUNDS = 3
"""Rounds over all operations, one request each, before the others."""
LONGEST = 150
"""Seconds for an answer: a question to an endpoint that never answers is given up after 120."""
LEAST = 60
"""Requests that are sent however late it is."""
GRACE = 15
"""Seconds after the deadline for requests in flight. Later answers, such as endless streams, are left."""
WEIGHTS = b"GGUF"
DIGEST = hashlib.sha256(WEIGHTS).hexdigest()
RUN = {
    "environment": "textcraft",
    "tasks": {"split": "train", "limit": 1},
    "model": {"endpoint": "simulated", "id": "simulated"},
    "method": {"id": "react", "max_steps": 12},
    "limits": {"cost": 1},
}
SILENT_RUN = {**RUN, "model": {"endpoint": "silent", "id": "silent"}}
"""A run that goes on until it is paused or cancelled: its endpoint never answers."""
REFUSED_RUN = {**RUN, "tasks": {"split": "train", "limit": 12}, "model": {"endpoint": "refusing", "id": "refused"}}
"""A run with episodes that end as errored: its endpoint refuses some prompts."""
FILE = {"name": "tiny.gguf", "bytes": 4, "sha256": DIGEST, "parts": [{"sha256": DIGEST, "bytes": 4}]}
LOOP = {
    "recipe": "rft",
    "environment": "textcraft",
    "base": {"hub": "small-org/small-model"},
    "policy": {"endpoint": "silent", "id": "silent"},
    "trainer": "idle",
    "experts": ["run-1"],
    "tasks": {"train": {"split": "train", "limit": 1}, "test": {"split": "test", "limit": 1}},
    "settings": {"rounds": 1},
}
EXAMPLES = {
    "createRun": [RUN, SILENT_RUN, REFUSED_RUN],
    "createLoop": [LOOP],
    "extendRun": [{"method": {"max_steps": 14}}],
    "createDataset": [{"runs": ["run-1"], "parameters": {"min_reward": 0}}],
    "recordScores": [
        {
            "name": "helpful",
            "by": {"kind": "scorer", "name": "fuzz", "digest": "fuzz-scorer-1"},
            "judgements": [{"episode": "ep-0000000", "value": 0.5}],
        }
    ],
    "addEndpoint": [{"name": "fuzzed", "endpoint": {"kind": "openai", "base_url": "http://127.0.0.1:9/v1"}}],
    "registerModel": [{"name": "tiny", "format": "gguf", "files": [FILE]}],
    "putWeightPart": [WEIGHTS],
    "createTraining": [
        {
            "base": {"hub": "Qwen/Qwen3-0.6B"},
            "datasets": [{"dataset": "dataset-1"}],
            "recipe": "sft",
            "trainer": "idle",
        }
    ],
    "getLeaderboard": [{"runs": ["run-1", "run-2"]}],
}
"""Bodies in place of the document's examples: smaller, or of this test's folder."""
BATCH = {GenerationMode.POSITIVE: 24, GenerationMode.NEGATIVE: 8}
"""Requests generated together for an operation: the beginning takes as long as some of them."""
AHEAD = ["putWeightPart", "registerModel", "createKey"]
"""Operations whose objects others need."""
CHANGING = ("DELETE", "PATCH", "PUT")
TIMES = {
    "createRun": 3,
    "createDataset": 3,
    "createTraining": 5,
    "createLoop": 4,
    "importTrajectories": 2,
    "pauseRun": 4,
    "resumeRun": 4,
    "extendRun": 4,
    "retryRun": 4,
}
"""Requests of the first rounds where only some of the known ids fit."""
ACTIONS = re.compile(r"/(rows|pause|resume|extend|retry|stop|cancel)$")
"""Paths that change an object, which needs a certain state. The last comes last."""
OF_OWN = {"createTraining", "createDataset"}
"""Operations on objects that these requests have made: only their runs are of training tasks, and give datasets rows."""
QUERIES = {
    "getSuccess": {"runs": "run-1"},
    "searchTranscripts": {"q": "oak"},
    "importTrajectories": {"more": "true"},
}
"""Query parameters that have no example in the document. More rows can be added only to an import that announced them."""


@schemathesis.serializer("application/x-ndjson")
def lines(context: Any, value: Any) -> Any:
    return value if isinstance(value, (str, bytes)) else json.dumps(value)


def without_addresses(value: Any, name: str = "") -> Any:
    """Keeps the service from asking other machines: addresses in bodies become a closed port of this one."""
    if isinstance(value, dict):
        return {each: without_addresses(inner, each) for each, inner in value.items()}
    if isinstance(value, list):
        return [without_addresses(inner) for inner in value]
    return "http://127.0.0.1:9/v1" if name.endswith("_url") and isinstance(value, str) else value


class Fuzzer:
    def __init__(self, address: str, start: int, most: int, seconds: float) -> None:
        self.address = address
        self.schema = schemathesis.openapi.from_url(f"{address}/openapi.json", timeout=120)
        self.draw = random.Random(start)
        self.most, self.ends = most, time.monotonic() + seconds
        self.ids = KnownIds(self.schema.raw_schema, self.draw, os.environ["FUZZ_KEY_ID"])
        self.statuses: dict[str, collections.Counter[int]] = {}
        self.failures: dict[str, dict[str, Any]] = {}
        self.refusals: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
        self.sent = 0
        self.given: collections.Counter[str] = collections.Counter()
        self.generated: dict[tuple[str, GenerationMode], list[Any]] = collections.defaultdict(list)
        self.generating = threading.Lock()
        self.operations = [result.ok() for result in self.schema.get_all_operations()]
        for operation in self.operations:
            self.statuses[self.name(operation)] = collections.Counter()

    @staticmethod
    def name(operation: Any) -> str:
        return operation.definition.raw["operationId"]

    def is_over(self) -> bool:
        return self.sent >= self.most or (self.sent >= LEAST and time.monotonic() > self.ends)

    def run(self, threads: int) -> None:
        # Requests that should succeed come first, in the order in which they need each other.
        for _ in range(ROUNDS):
            for operation in sorted(self.operations, key=self.place):
                for _ in range(TIMES.get(self.name(operation), 1)):
                    self.try_operation(operation, self.draw, GenerationMode.POSITIVE, 1, exact=True)
        starts = [self.draw.randrange(2**32) for _ in range(threads)]
        workers = [threading.Thread(target=self.rounds, args=(start,), daemon=True) for start in starts]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join(max(0.0, self.ends + GRACE - time.monotonic()))

    def place(self, operation: Any) -> tuple[int, int]:
        name, method = self.name(operation), operation.method.upper()
        if name in AHEAD:
            return 0, AHEAD.index(name)
        if action := ACTIONS.search(operation.path):
            return 4, ACTIONS.pattern.index(action[1])
        order = {"GET": 1 if not owner_paths(operation.path) else 3, "POST": 2, "PUT": 2, "PATCH": 4, "DELETE": 5}
        return order[method], len(owner_paths(operation.path))

    def rounds(self, start: int) -> None:
        draw = random.Random(start)
        try:
            while not self.is_over():
                for operation in draw.sample(self.operations, len(self.operations)):
                    self.try_operation(operation, draw, GenerationMode.POSITIVE, 6)
                    self.try_operation(operation, draw, GenerationMode.NEGATIVE, 2)
        except Exception:
            self.failures["the fuzzer itself"] = {"count": 1, "message": traceback.format_exc()}

    def try_operation(
        self, operation: Any, draw: random.Random, mode: GenerationMode, count: int, *, exact: bool = False
    ) -> None:
        for _ in range(count):
            case = self.next_case(operation, draw, mode, ROUNDS if exact else BATCH[mode])
            if case is None or self.is_over():
                return
            self.send(case, exact)

    def next_case(self, operation: Any, draw: random.Random, mode: GenerationMode, batch: int) -> Any:
        """The next of the operation's generated requests; None if there is none of this kind."""
        kept = self.generated[self.name(operation), mode]
        # Python 3.11 cannot parse programs on several threads at once, as hypothesis does for its descriptions.
        with self.generating:
            if not kept and not self.is_over():
                kept += self.generate(operation, draw.randrange(2**32), mode, batch)
            return kept.pop(0) if kept else None

    def generate(self, operation: Any, start: int, mode: GenerationMode, count: int) -> list[Any]:
        cases: list[Any] = []

        @seed(start)
        @settings(
            max_examples=count,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(generation_mode=mode))
        def collect(case: Any) -> None:
            cases.append(case)

        try:
            collect()
        except Unsatisfiable:
            # Without parameters and a body there is no wrong request.
            if mode is GenerationMode.POSITIVE:
                raise
        return cases

    def shape(self, case: Any, exact: bool) -> None:
        """Puts ids and working examples into all or most requests, and leaves the others as they were generated."""
        raw = case.operation.definition.raw
        parameters = raw.get("parameters", [])
        if isinstance(case.path_parameters, dict) and (exact or self.draw.random() < 0.9):
            in_path = [each for each in parameters if each["in"] == "path" and "example" in each]
            examples = {each["name"]: each["example"] for each in in_path}
            own = case.method.upper() in CHANGING or ACTIONS.search(case.operation.path) is not None
            ids = self.ids.parameters(case.operation.path, own=own)
            case.path_parameters = {**case.path_parameters, **examples, **ids}
        if isinstance(case.query, dict) and (exact or self.draw.random() < 0.7):
            case.query = dict(case.query)
            given_values = QUERIES.get(self.name(case.operation), {})
            for each in parameters:
                name = each["name"]
                if each["in"] != "query":
                    continue
                if not each.get("required"):
                    if exact or self.draw.random() < 0.7:
                        case.query.pop(name, None)
                    if name in given_values and (exact or self.draw.random() < 0.3):
                        case.query[name] = given_values[name]
                elif value := given_values.get(name, each.get("example")):
                    case.query[name] = self.ids.fill(value)
        name = self.name(case.operation)
        given_bodies = EXAMPLES.get(name)
        if given_bodies is not None:
            # In turn, so that there is an object of each.
            self.given[name] += 1
            example = given_bodies[self.given[name] % len(given_bodies)]
        else:
            example = raw.get("requestBody", {}).get("content", {}).get(case.media_type, {}).get("example")
        if example is not None and (exact or self.draw.random() < 0.6):
            body = self.ids.fill(example, own=name in OF_OWN)
            if not exact and isinstance(body, dict) and isinstance(case.body, dict) and case.body and self.draw.random() < 0.5:
                field = self.draw.choice(list(case.body))
                body[field] = case.body[field]
            case.body = body
            if body is WEIGHTS:
                case.path_parameters = {"sha256": DIGEST}
        case.body = without_addresses(case.body)

    def authorize(self, case: Any) -> None:
        security = case.operation.definition.raw.get("security", [])
        needs = [role for each in security for roles in each.values() for role in roles]
        headers = dict(case.headers or {})
        headers["Authorization"] = f"Bearer {os.environ['FUZZ_KEY']}"
        if "operator" in needs:
            headers |= {"Authorization": f"Bearer {os.environ['FUZZ_OPERATOR']}", "Espalier-Tenant": "operated"}
        case.headers = headers

    def send(self, case: Any, exact: bool = False) -> None:
        self.shape(case, exact)
        self.authorize(case)
        operation, name = case.operation, self.name(case.operation)
        self.sent += 1
        streams = "text/event-stream" in json.dumps(operation.definition.raw["responses"].get("200", {}))
        try:
            response = case.call(timeout=IDLE if streams else LONGEST)
        except requests.exceptions.RequestException as error:
            if not streams:
                self.fail(case, "no answer", str(error), 0)
            return
        status = response.status_code
        self.statuses[name][status] += 1
        if status == 307:
            # The body lies at a signed address.
            target = urllib.parse.urljoin(self.address, response.headers["location"][0])
            self.statuses[name][requests.get(target, timeout=60).status_code] += 1
        if 400 <= status < 500:
            self.refusals[name][response.text[:300]] += 1
        if 200 <= status < 300:
            parameters = {each: str(value) for each, value in (case.path_parameters or {}).items()}
            if case.method.upper() == "DELETE":
                self.ids.forget(parameters)
            elif "application/json" in response.headers.get("content-type", [""])[0]:
                self.ids.learn(operation.path, parameters, response.json(), made=case.method.upper() in ("POST", "PUT"))
        try:
            case.validate_response(response, checks=CHECKS)
        except (Failure, FailureGroup) as error:
            for each in error.exceptions if isinstance(error, FailureGroup) else [error]:
                self.fail(case, each.title, f"{each.message}\n{response.text[:1000]}", status)

    def fail(self, case: Any, kind: str, message: str, status: int) -> None:
        name = self.name(case.operation)
        failure = self.failures.setdefault(
            f"{name}: {kind} ({status})",
            {"count": 0, "message": message[:3000], "request": case.as_curl_command()[:3000]},
        )
        failure["count"] += 1

    def report(self) -> dict[str, Any]:
        reached = [name for name, counts in self.statuses.items() if any(200 <= status < 300 for status in counts)]
        return {
            "requests": self.sent,
            "operations": len(self.statuses),
            "reached": len(reached),
            "statuses": self.statuses,
            "failures": self.failures,
            "unreached": {
                name: self.refusals[name].most_common(5) for name in self.statuses if name not in reached
            },
        }


def main() -> None:
    words = argparse.ArgumentParser()
    words.add_argument("address")
    words.add_argument("--requests", type=int, default=20_000)
    words.add_argument("--seconds", type=float, default=3600)
    words.add_argument("--threads", type=int, default=4)
    words.add_argument("--seed", type=int, default=34)
    given_words = words.parse_args()
    fuzzer = Fuzzer(given_words.address, given_words.seed, given_words.requests, given_words.seconds)
    fuzzer.run(given_words.threads)
    json.dump(fuzzer.report(), sys.stdout)
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
