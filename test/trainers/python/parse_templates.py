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
    if job["template"] == "xtuner":
        return of_xtuner(job["text"])
    if job["template"] == "torchtune":
        return of_torchtune(job["text"], job["recipe"])
    said = yaml.safe_load(job["text"])
    return {"axolotl": of_axolotl, "llamafactory": of_llama_factory}[job["template"]](said)


def of_xtuner(text):
    """Of XTuner its parser of configurations, and the functions and classes that the configuration names."""
    import inspect

    import stubbed_xtuner
    from mmengine.config import Config
    from peft import LoraConfig
    from transformers import AutoModelForCausalLM, Trainer, TrainingArguments
    from xtuner.dataset.huggingface import process_hf_dataset
    from xtuner.utils.templates import PROMPT_TEMPLATE

    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write(text)
        file.flush()
        said = Config.fromfile(file.name)
    assert said.framework == "huggingface" and said.trainer is Trainer
    data = dict(said.train_dataset.items())
    assert data.pop("type") is process_hf_dataset
    assert data["template_map_fn"]["template"] == PROMPT_TEMPLATE.qwen_chat
    assert said.model["type"] == AutoModelForCausalLM.from_pretrained
    unknown = [key for key in data if key not in inspect.signature(process_hf_dataset).parameters]
    parts = [(TrainingArguments, dict(said.training_args.items()))]
    parts += [(LoraConfig, dict(said.lora.items()))] if "lora" in said else []
    otherwise = []
    for kind, settings in parts:
        assert settings.pop("type") is kind
        with tempfile.TemporaryDirectory() as folder:
            rest = {"output_dir": folder, "use_cpu": True} if kind is TrainingArguments else {}
            read = vars(kind(**{**settings, **rest}))
        found = compare({key: value for key, value in settings.items() if key not in rest}, read, [kind(**{**settings, **rest})])
        unknown += found["unknown"]
        otherwise += found["otherwise"]
    return {"unknown": unknown, "otherwise": otherwise}


def of_torchtune(text, recipe):
    """
    torchtune's own check of a configuration, by which every component is there and takes what is said; of those that need no
    weights, the objects. What its recipe's own configurations do not have is unknown.
    """
    import sys
    from pathlib import Path

    import stubbed_torchtune  # noqa: F401
    import torch
    import torchtune
    from omegaconf import OmegaConf
    from torchtune import config
    from torchtune._recipe_registry import get_all_recipes

    sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "containers/trainer/torchtune"))
    said = OmegaConf.create(yaml.safe_load(text))
    config.validate(said)
    weight = torch.nn.Parameter(torch.zeros(2))
    optimizer = config.instantiate(said.optimizer, [weight])
    config.instantiate(said.lr_scheduler, optimizer, num_training_steps=100, last_epoch=-1)
    config.instantiate(said.loss)
    config.instantiate(said.metric_logger)
    with torch.device("meta"):
        config.instantiate(said.model)
    group = optimizer.param_groups[0]
    read = {"lr": group["initial_lr"], "weight_decay": group["weight_decay"], "betas": list(group["betas"])}
    registered = next(each for each in get_all_recipes() if each.name == recipe)
    program = (Path(torchtune.__file__).parents[1] / "recipes" / registered.file_path).read_text(encoding="utf-8")
    # What a recipe takes of its configuration, it names.
    return {
        "unknown": [key for key in said if f"cfg.{key}" not in program and f'"{key}"' not in program],
        "otherwise": [key for key, value in read.items() if value != OmegaConf.to_container(said.optimizer)[key]],
    }


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
