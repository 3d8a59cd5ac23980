"""
Has the configurations that templates of trainers write parsed by the tools' own code. A job: {template, text}. Returns what the
tool knows nothing of, and what it read otherwise.
"""

import os
import tempfile

os.environ["AXOLOTL_DO_NOT_TRACK"] = "1"
os.environ["DISABLE_VERSION_CHECK"] = "1"

import yaml

import rows


def parse(job):
    said = yaml.safe_load(job["text"])
    return {"axolotl": of_axolotl, "llamafactory": of_llama_factory}[job["template"]](said)


def of_axolotl(said):
    from axolotl.utils.schemas.config import AxolotlInputConfig

    parsed = AxolotlInputConfig(**said)
    known = type(parsed).model_fields
    # Of a dataset it fills in defaults.
    return compare({key: value for key, value in said.items() if key != "datasets"}, known, [parsed])


def of_llama_factory(said):
    from llamafactory.hparams import get_train_args

    with tempfile.TemporaryDirectory() as folder:
        said = {**said, "output_dir": folder}
        parsed = get_train_args({**said, "use_cpu": True})
    return compare(said, {key for part in parsed for key in vars(part)}, parsed)


def compare(said, known, parts):
    read = {key: next(getattr(part, key) for part in parts if hasattr(part, key)) for key in said if key in known}
    return {
        "unknown": [key for key in said if key not in known],
        "otherwise": [key for key, value in read.items() if value != said[key]],
    }


rows.work(parse)
