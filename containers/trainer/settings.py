"""
Checks the operator's settings of this trainer: `python settings.py '{"report_to": [...], "accelerate": path}'`.

It prints JSON: `refused`, why they cannot be used, or null; and `sharded`, whether processes share the weights.
"""

import importlib.util
import json
import os
import sys
from typing import Any

SHARDED = ("FSDP", "DEEPSPEED")
KNOWN = ("NO", "MULTI_CPU", "MULTI_GPU", *SHARDED)


def main() -> int:
    asked = json.loads(sys.argv[1])
    result: dict[str, Any] = {"refused": None, "sharded": False}
    try:
        for name in asked["report_to"]:
            check_package(name, "report_to")
        if asked["accelerate"] is not None:
            result["sharded"] = check_accelerate(asked["accelerate"])
    except ValueError as error:
        result["refused"] = str(error)
    print(json.dumps(result))
    return 0


def check_package(name: str, setting: str) -> None:
    if importlib.util.find_spec(name) is None:
        raise ValueError(
            f"{setting} needs the package {name}, which is not installed: {sys.executable} -m pip install {name}"
        )


def check_accelerate(path: str) -> bool:
    """Reads the file as `accelerate launch --config_file` does. Returns whether the weights are sharded."""
    from accelerate.commands.config.config_args import ClusterConfig, load_config_from_file

    try:
        config = load_config_from_file(path)
    except Exception as error:  # noqa: BLE001 - its parsers raise many kinds
        raise ValueError(f"accelerate: {path} cannot be used: {error}") from error
    if not isinstance(config, ClusterConfig) or config.num_machines > 1:
        raise ValueError(f"accelerate: {path} is for other machines. The local trainer has processes of this one.")
    kind = getattr(config.distributed_type, "value", config.distributed_type)
    if kind not in KNOWN:
        raise ValueError(f"accelerate: distributed_type {kind} is not supported. Choose one of: {', '.join(KNOWN)}.")
    if config.mixed_precision not in (None, "no", "bf16"):
        raise ValueError("accelerate: leave mixed_precision out: the hyperparameter precision decides.")
    if kind == "FSDP" and config.fsdp_config.get("fsdp_state_dict_type") != "FULL_STATE_DICT":
        raise ValueError("accelerate: fsdp_config needs fsdp_state_dict_type: FULL_STATE_DICT, so that the model is saved whole.")
    if kind == "DEEPSPEED":
        check_deepspeed(config.deepspeed_config)
    return kind in SHARDED


def check_deepspeed(config: dict[str, Any]) -> None:
    check_package("deepspeed", "distributed_type: DEEPSPEED")
    path = config.get("deepspeed_config_file")
    if path is None:
        whole = config.get("zero3_save_16bit_model", False)
        is_split = int(config.get("zero_stage", 2)) == 3
    else:
        if not os.path.isfile(path):
            raise ValueError(f"accelerate: deepspeed_config_file {path} is no file.")
        with open(path, encoding="utf-8") as file:
            zero = json.load(file).get("zero_optimization", {})
        whole = zero.get("stage3_gather_16bit_weights_on_model_save", False)
        is_split = zero.get("stage") == 3
        check_zero(zero)
    if is_split and not whole:
        raise ValueError(
            "accelerate: ZeRO 3 needs zero3_save_16bit_model: true (stage3_gather_16bit_weights_on_model_save), "
            "so that the model is saved whole."
        )


def check_zero(zero: dict[str, Any]) -> None:
    """Parses the section by DeepSpeed's own schema."""
    from deepspeed.runtime.zero.config import DeepSpeedZeroConfig
    from pydantic import ValidationError

    try:
        DeepSpeedZeroConfig(**zero)
    except ValidationError as error:
        raise ValueError(f"accelerate: zero_optimization: {error}") from error


if __name__ == "__main__":
    sys.exit(main())
