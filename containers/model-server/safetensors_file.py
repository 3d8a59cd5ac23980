"""Reads the safetensors files of a folder with NumPy alone: an index, then raw little-endian values.

Format: https://github.com/huggingface/safetensors#format
"""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy

DTYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4"}


def read_tensors(folder: Path) -> Iterator[tuple[str, numpy.ndarray]]:
    """Every tensor of the folder, with bfloat16 widened to float32, which loses nothing."""
    for path in sorted(folder.glob("*.safetensors")):
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            header = json.loads(file.read(length))
        for name, facts in header.items():
            if name == "__metadata__":
                continue
            begin, end = facts["data_offsets"]
            raw = numpy.memmap(path, numpy.uint8, "r", offset=8 + length + begin, shape=(end - begin,))
            yield name, values(raw, facts["dtype"], name).reshape(facts["shape"])


def values(raw: numpy.ndarray, dtype: str, name: str) -> numpy.ndarray:
    if dtype == "BF16":
        return (raw.view("<u2").astype(numpy.uint32) << 16).view(numpy.float32)
    if dtype not in DTYPES:
        raise SystemExit(f"The tensor {name} has the type {dtype}, which is not supported.")
    return raw.view(DTYPES[dtype])
