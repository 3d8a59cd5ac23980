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
import sys
import threading
import time
import traceback
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
GRACE = 15
"""Seconds after the deadline for requests in flight. Later answers, such as endless streams, are left."""
WEIGHTS = b"GGUF"
DIGEST = hashlib.sha256(WEIGHTS).hexdigest()
RUN = {
    "environment": "textcraft",
    "tasks": {"limit": 1},
    "model": {"endpoint": "simulated", "id": "simulated"},
    "method": {"id": "react", "max_steps": 3},
    "limits": {"cost": 1},
}
FILE = {"name": "tiny.gguf", "bytes": 4, "sha256": DIGEST, "parts": [{"sha256": DIGEST, "bytes": 4}]}
EXAMPLES = {
    "createRun": RUN,
    "registerModel": {"name": "tiny", "format": "gguf", "files": [FILE]},
    "putWeightPart": WEIGHTS,
    "createTraining": {
        "base": {"hub": "Qwen/Qwen3-0.6B"},
        "datasets": [{"dataset": "dataset-1"}],
        "recipe": "sft",
        "trainer": "idle",
    },
    "getLeaderboard": {"runs": ["run-1", "run-2"]},
}
"""Bodies in place of the document's examples: smaller, or of this test's folder."""
QUERIES = {"getSuccess": {"runs": "run-1"}, "searchTranscripts": {"q": "oak"}}
"""Query parameters that are required and have no example in the document."""


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
        self.schema = schemathesis.openapi.from_url(f"{address}/openapi.json")
        self.draw = random.Random(start)
        self.most, self.ends = most, time.monotonic() + seconds
        self.ids = KnownIds(self.schema.raw_schema, self.draw, os.environ["FUZZ_KEY_ID"])
        self.statuses: dict[str, collections.Counter[int]] = {}
        self.failures: dict[str, dict[str, Any]] = {}
        self.refusals: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
        self.sent = 0
        self.generating = threading.Lock()
        self.operations = [result.ok() for result in self.schema.get_all_operations()]
        for operation in self.operations:
            self.statuses[self.name(operation)] = collections.Counter()

    @staticmethod
    def name(operation: Any) -> str:
        return operation.definition.raw["operationId"]

    def is_over(self) -> bool:
        return self.sent >= self.most or time.monotonic() > self.ends

    def run(self, threads: int) -> None:
        # A plain request to each list brings ids for all that follow.
        for operation in self.operations:
            if operation.method == "get" and not owner_paths(operation.path):
                self.try_operation(operation, self.draw, GenerationMode.POSITIVE, 1, plain=True)
        starts = [self.draw.randrange(2**32) for _ in range(threads)]
        workers = [threading.Thread(target=self.rounds, args=(start,), daemon=True) for start in starts]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join(max(0.0, self.ends + GRACE - time.monotonic()))

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
        self, operation: Any, draw: random.Random, mode: GenerationMode, count: int, *, plain: bool = False
    ) -> None:
        for case in self.generate(operation, draw.randrange(2**32), mode, count):
            if plain:
                case.query = {}
            if not self.is_over():
                self.send(case)

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

        # Python 3.11 cannot parse programs on several threads at once, as hypothesis does for its descriptions.
        with self.generating:
            try:
                if not self.is_over():
                    collect()
            except Unsatisfiable:
                # Without parameters and a body there is no wrong request.
                if mode is GenerationMode.POSITIVE:
                    raise
        return cases

    def shape(self, case: Any) -> None:
        """Puts ids and working examples into most requests, and leaves the others as they were generated."""
        raw = case.operation.definition.raw
        parameters = raw.get("parameters", [])
        if isinstance(case.path_parameters, dict) and self.draw.random() < 0.9:
            in_path = [each for each in parameters if each["in"] == "path" and "example" in each]
            examples = {each["name"]: each["example"] for each in in_path}
            ids = self.ids.parameters(case.operation.path, newest=case.method.upper() == "DELETE")
            case.path_parameters = {**case.path_parameters, **examples, **ids}
        if isinstance(case.query, dict) and self.draw.random() < 0.7:
            case.query = dict(case.query)
            given_values = QUERIES.get(self.name(case.operation), {})
            for each in parameters:
                name = each["name"]
                if each["in"] != "query":
                    continue
                if not each.get("required"):
                    if self.draw.random() < 0.7:
                        case.query.pop(name, None)
                elif value := given_values.get(name, each.get("example")):
                    case.query[name] = self.ids.fill(value)
        example = EXAMPLES.get(self.name(case.operation))
        if example is None:
            example = raw.get("requestBody", {}).get("content", {}).get(case.media_type, {}).get("example")
        if example is not None and self.draw.random() < 0.6:
            body = self.ids.fill(example)
            if isinstance(body, dict) and isinstance(case.body, dict) and case.body and self.draw.random() < 0.5:
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

    def send(self, case: Any) -> None:
        self.shape(case)
        self.authorize(case)
        operation, name = case.operation, self.name(case.operation)
        self.sent += 1
        streams = "text/event-stream" in json.dumps(operation.definition.raw["responses"].get("200", {}))
        try:
            response = case.call(timeout=IDLE if streams else 60)
        except requests.exceptions.RequestException as error:
            if not streams:
                self.fail(case, "no answer", str(error), 0)
            return
        status = response.status_code
        self.statuses[name][status] += 1
        if 400 <= status < 500:
            self.refusals[name][response.text[:300]] += 1
        if 200 <= status < 300:
            parameters = {each: str(value) for each, value in (case.path_parameters or {}).items()}
            if case.method.upper() == "DELETE":
                self.ids.forget(parameters)
            elif "application/json" in response.headers.get("content-type", [""])[0]:
                self.ids.learn(operation.path, parameters, response.json())
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
