"""The trainer of each recipe, with the settings of the job."""

import importlib.util
from pathlib import Path
from typing import Any

import torch
from datasets import Dataset
from peft import LoraConfig, PeftModel, TaskType
from transformers import (
    AutoModelForCausalLM,
    AutoModelForTokenClassification,
    PreTrainedModel,
    PreTrainedTokenizerBase,
    Trainer,
)

from base import name_of
from check import training_template
from progress import TrainingError

LARGEST_LOG = 1000


def build(
    job: dict[str, Any], rows: Dataset, max_length: int, tokenizer: PreTrainedTokenizerBase, processes: int
) -> Trainer:
    """The trainer, ready to train: its rows are tokenized and its model is loaded."""
    settings = _Settings(job, len(rows), processes)
    common = {**settings.arguments, "max_length": max_length}
    given = {"processing_class": tokenizer, "train_dataset": rows, "peft_config": settings.lora}
    wanted = job["hyperparameters"]
    if job["recipe"] == "sft":
        from trl import SFTConfig, SFTTrainer

        by_answers = wanted["loss_on"] == "answers"
        args = SFTConfig(
            **common,
            packing=wanted["packing"],
            assistant_only_loss=by_answers,
            completion_only_loss=by_answers and "prompt" in rows.column_names,
        )
        return SFTTrainer(model=settings.model(), args=args, **given)
    if job["recipe"] in ("dpo", "rpo"):
        from trl import DPOConfig, DPOTrainer

        from answers import MarkedDPOTrainer

        loss = {"loss_type": ["sigmoid"]}
        if job["recipe"] == "rpo":
            loss = {"loss_type": ["sigmoid", "sft"], "loss_weights": [1.0, wanted["alpha"]]}
        args = DPOConfig(**common, beta=wanted["beta"], label_smoothing=wanted["label_smoothing"], **loss)
        if job["by_answers"]:
            template = training_template(tokenizer, job["recipe"], True)
            return MarkedDPOTrainer(template=template, model=settings.model(), args=args, **given)
        return DPOTrainer(model=settings.model(), args=args, **given)
    if job["recipe"] == "kto":
        from trl import KTOConfig, KTOTrainer

        from answers import MarkedKTOTrainer

        args = KTOConfig(
            **common,
            beta=wanted["beta"],
            desirable_weight=wanted["desirable_weight"],
            undesirable_weight=wanted["undesirable_weight"],
        )
        if job["by_answers"]:
            template = training_template(tokenizer, job["recipe"], True)
            return MarkedKTOTrainer(template=template, model=settings.model(), args=args, **given)
        return KTOTrainer(model=settings.model(), args=args, **given)
    if job["recipe"] == "prm":
        # In TRL until 1.13, which is put in place of the newer one for this recipe alone.
        from trl.experimental.prm import PRMConfig, PRMTrainer

        model = settings.model()
        args = PRMConfig(**common, max_completion_length=None)
        return PRMTrainer(model=model, args=args, **given)
    from trl import GRPOConfig, GRPOTrainer

    if job["recipe"] == "policy-gradient":
        from given_advantages import GivenAdvantagesTrainer

        arguments = {name: value for name, value in common.items() if name != "max_length"}
        args = GRPOConfig(
            **arguments,
            beta=wanted["beta"],
            epsilon=wanted["clip"],
            entropy_coef=wanted["entropy"],
            loss_type=wanted["loss"],
            # Divides the loss `dr_grpo`.
            max_completion_length=max_length,
            # TRL checks that they divide a batch. Rows are not repeated.
            num_generations=2,
            generation_batch_size=2 * settings.arguments["per_device_train_batch_size"] * processes,
        )
        return GivenAdvantagesTrainer(model=settings.model(), args=args, max_length=max_length, **given)
    arguments = {name: value for name, value in common.items() if name != "max_length"}
    args = GRPOConfig(
        **arguments,
        beta=wanted["beta"],
        num_generations=wanted["group_size"],
        max_completion_length=wanted["max_completion_length"],
        temperature=wanted["temperature"],
    )
    return GRPOTrainer(model=settings.model(), reward_funcs=_reward(wanted["reward"]), args=args, **given)


class _Settings:
    """The settings that all trainers share."""

    def __init__(self, job: dict[str, Any], rows: int, processes: int) -> None:
        wanted = job["hyperparameters"]
        self._job = job
        has_gpu = torch.cuda.is_available()
        precision = wanted["precision"]
        if precision == "auto":
            precision = "bf16" if has_gpu and torch.cuda.is_bf16_supported() else "fp32"
        self._pure = precision == "bf16-weights"
        micro, batch = wanted["micro_batch_size"], wanted["batch_size"]
        if batch % (micro * processes) != 0:
            raise TrainingError(
                "refused",
                f"hyperparameters.batch_size is {batch}, which {processes} processes with a micro_batch_size of {micro} "
                "cannot share evenly.",
            )
        per_epoch = max(1, -(-rows // batch))
        steps = min(wanted["max_steps"] or 10**12, max(1, round(per_epoch * wanted["epochs"])))
        self.lora = _lora(job["lora"], job["recipe"])
        self._is_half = self._pure or (self.lora is not None and precision == "bf16")
        self.arguments = {
            "output_dir": job["output"],
            "seed": job["seed"],
            "data_seed": job["seed"],
            "learning_rate": wanted["learning_rate"],
            "num_train_epochs": wanted["epochs"],
            "max_steps": wanted["max_steps"] or -1,
            "per_device_train_batch_size": micro,
            "gradient_accumulation_steps": batch // (micro * processes),
            "lr_scheduler_type": wanted["schedule"],
            "warmup_steps": wanted["warmup"],
            "weight_decay": wanted["weight_decay"],
            "adam_beta2": wanted["adam_beta2"],
            "max_grad_norm": wanted["max_grad_norm"],
            "bf16": precision == "bf16",
            "fp16": False,
            "use_cpu": not has_gpu,
            "gradient_checkpointing": wanted["gradient_checkpointing"],
            "logging_steps": max(1, steps // LARGEST_LOG),
            "logging_first_step": True,
            # A loss that is not finite must be seen.
            "logging_nan_inf_filter": False,
            "save_strategy": "steps",
            "save_steps": job["checkpoint_steps"] or max(1, -(-steps // 10)),
            "save_total_limit": job["keep_checkpoints"],
            "report_to": job.get("report_to") or "none",
            "run_name": job.get("run_name"),
            "disable_tqdm": True,
        }

    def model(self) -> PreTrainedModel:
        kind, rest = model_class(self._job["recipe"])
        base = self._job["base"]
        name = name_of(base)
        dtype = torch.bfloat16 if self._is_half else torch.float32
        torch.manual_seed(self._job["seed"])
        try:
            return kind.from_pretrained(name, revision=base.get("revision"), dtype=dtype, **rest)
        except (OSError, ValueError) as error:
            raise TrainingError("refused", f"The weights of {name} cannot be read: {error}") from error


def _lora(lora: dict[str, Any] | None, recipe: str) -> LoraConfig | None:
    if lora is None:
        return None
    return LoraConfig(
        r=lora["rank"],
        lora_alpha=lora["alpha"],
        lora_dropout=lora["dropout"],
        target_modules=lora["target_modules"],
        task_type=TaskType.TOKEN_CLS if recipe == "prm" else TaskType.CAUSAL_LM,
    )


def _reward(reward: dict[str, str]) -> Any:
    """The user's function `(prompts, completions, reference, **) -> list of numbers`."""
    path = Path(reward["file"])
    spec = importlib.util.spec_from_file_location("reward", path)
    if spec is None or spec.loader is None or not path.is_file():
        raise TrainingError("refused", f"hyperparameters.reward.file: {path} is no Python file.")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    function = getattr(module, reward["function"], None)
    if function is None:
        raise TrainingError("refused", f"{path} has no function {reward['function']}.")
    return function


def save_model(
    trainer: Trainer,
    job: dict[str, Any],
    tokenizer: PreTrainedTokenizerBase,
    folder: str,
    state: dict[str, torch.Tensor] | None = None,
) -> str:
    """
    Writes the finished model, in the number format of its base. Returns whether it is whole or an adapter. `state` has
    the weights if the processes shard them.
    """
    model = trainer.accelerator.unwrap_model(trainer.model)
    is_adapter = isinstance(model, PeftModel) and not job["lora"]["merge"]
    if isinstance(model, PeftModel) and not is_adapter:
        model = model.merge_and_unload()
    if not is_adapter:
        save_whole(model, job["base_dtype"], tokenizer, folder, state)
        return "safetensors"
    model.save_pretrained(folder, **({} if state is None else {"state_dict": state}))
    tokenizer.save_pretrained(folder)
    return "adapter"


def save_whole(
    model: PreTrainedModel,
    dtype: torch.dtype | None,
    tokenizer: PreTrainedTokenizerBase,
    folder: str,
    state: dict[str, torch.Tensor] | None = None,
) -> None:
    """Writes a model with all of its weights, in this number format where one is given."""
    if dtype is not None and state is None:
        model.to(dtype)
    elif dtype is not None:
        state = {name: tensor.to(dtype) if tensor.is_floating_point() else tensor for name, tensor in state.items()}
        model.config.dtype = dtype
    model.config.use_cache = True
    model.save_pretrained(folder, max_shard_size="4GB", **({} if state is None else {"state_dict": state}))
    tokenizer.save_pretrained(folder)


def model_class(recipe: str) -> tuple[Any, dict[str, Any]]:
    """How the base of a recipe is loaded: its class, and what that is given."""
    if recipe == "prm":
        return AutoModelForTokenClassification, {"num_labels": 2}
    return AutoModelForCausalLM, {}
