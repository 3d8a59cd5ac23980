"""What the base makes of the rows, before its weights are loaded: template, end token, context, lengths."""

from typing import Any

from datasets import Dataset
from transformers import AutoConfig, AutoTokenizer, PreTrainedTokenizerBase
from trl.chat_template_utils import get_training_chat_template, has_generation_markers

from base import name_of
from progress import Progress, TrainingError

# The columns that a recipe learns, behind the prompt.
SIDES = {"dpo": ("chosen", "rejected"), "rpo": ("chosen", "rejected"), "kto": ("completion",)}


def load_tokenizer(base: dict[str, Any]) -> PreTrainedTokenizerBase:
    name = name_of(base)
    try:
        return AutoTokenizer.from_pretrained(name, revision=base.get("revision"))
    except (OSError, ValueError) as error:
        raise TrainingError("refused", f"The tokenizer of {name} cannot be read: {error}") from error


def context_of(base: dict[str, Any]) -> int | None:
    """How many tokens the base can read."""
    name = name_of(base)
    try:
        config = AutoConfig.from_pretrained(name, revision=base.get("revision"))
    except (OSError, ValueError) as error:
        raise TrainingError("refused", f"The configuration of {name} cannot be read: {error}") from error
    return getattr(config.get_text_config(), "max_position_embeddings", None)


def training_template(tokenizer: PreTrainedTokenizerBase, recipe: str, wants_answers: bool) -> str | None:
    """The template that marks which tokens are answers; null: the tokenizer's own."""
    if tokenizer.chat_template is None:
        raise TrainingError("refused", "The base has no chat template. Add chat_template.jinja to its folder.")
    if not wants_answers or has_generation_markers(tokenizer.chat_template):
        return None
    try:
        return get_training_chat_template(tokenizer)
    except ValueError as error:
        raise TrainingError(
            "refused",
            "The chat template of the base does not mark answers with {% generation %}, and TRL knows no such version of it. "
            + (
                'Mark them in the template, or learn from all tokens with hyperparameters.loss_on "all".'
                if recipe == "sft"
                else 'Mark them in the template, or learn all behind the prompt with hyperparameters.loss_on "completion".'
            ),
        ) from error


def check(
    job: dict[str, Any],
    rows: Dataset,
    counts: list[dict[str, Any]],
    tokenizer: PreTrainedTokenizerBase,
    progress: Progress,
) -> tuple[Dataset, int]:
    """
    Measures every row, reports it, and leaves out what is too long where that was asked for.

    Returns the rows to train on, and the length at which they are cut.
    """
    settings = job["hyperparameters"]
    context = context_of(job["base"])
    max_length = settings.get("max_length") or context
    if max_length is None:
        raise TrainingError("refused", "The base does not say how long its context is: set hyperparameters.max_length.")
    if context is not None and max_length > context:
        raise TrainingError(
            "refused",
            f"hyperparameters.max_length is {max_length}, and the base reads {context} tokens at most.",
        )
    if tokenizer.eos_token_id is None:
        raise TrainingError("refused", "The tokenizer of the base has no end token: set eos_token in its configuration.")
    is_chat = job["recipe"] not in ("prm", "policy-gradient")
    by_answers = _learns_answers(job, rows)
    job["by_answers"] = by_answers
    template = training_template(tokenizer, job["recipe"], by_answers) if is_chat else None
    policy = settings["long_rows"]
    cut = max_length if policy == "truncate" else None
    measure = _measure(job["recipe"], tokenizer, template, by_answers, settings, cut)
    sizes = rows.map(measure, remove_columns=rows.column_names, desc="Measuring rows")
    lengths, learned = sizes["length"], sizes["learned"]
    too_long = [place for place, length in enumerate(lengths) if length > max_length]
    # What is learned of a row may lie behind its cut as a whole; TRL trains on no such row.
    left_out = {place for place in too_long if policy == "drop" or (policy == "truncate" and learned[place] == 0)}
    facts = {
        "total": len(rows),
        "by_dataset": counts,
        "tokens": sum(lengths),
        "learned_tokens": sum(learned),
        "longest": max(lengths),
        "too_long": len(too_long),
        "truncated": len(too_long) - len(left_out) if policy == "truncate" else 0,
        "dropped": len(left_out),
    }
    progress.write("rows", **facts)
    if too_long and policy == "refuse":
        raise TrainingError(
            "refused",
            f"{len(too_long)} of {len(rows)} rows are longer than {max_length} tokens; the longest has {max(lengths)}. "
            'Raise hyperparameters.max_length (the base reads '
            f'{context or "as many as you say"}), or set hyperparameters.long_rows to "drop" or "truncate".',
        )
    if len(left_out) == len(rows):
        behind = "" if policy == "drop" else ", and what is learned of it lies behind the cut"
        raise TrainingError(
            "refused",
            f"Every row is longer than {max_length} tokens{behind}. Raise hyperparameters.max_length, or choose shorter rows.",
        )
    if left_out:
        rows = rows.select([place for place in range(len(rows)) if place not in left_out])
    nothing = sum(1 for place, count in enumerate(learned) if count == 0 and place not in left_out)
    if nothing > 0:
        progress.write("warning", message=f"{nothing} rows have no token to learn.")
    if is_chat and not _writes_end(tokenizer, template):
        progress.write(
            "warning",
            message="The chat template does not end an answer with the tokenizer's end token: the model may not learn to stop.",
        )
    return rows, max_length


def _learns_answers(job: dict[str, Any], rows: Dataset) -> bool:
    """Whether the model's own turns alone are learned. Behind a prompt with one answer there is nothing else."""
    # Trainings of earlier versions say nothing for pairs, and learned all behind the prompt.
    if job["hyperparameters"].get("loss_on") != "answers":
        return False
    sides = SIDES.get(job["recipe"], ())
    has_observations = any(turn["role"] != "assistant" for side in sides for turns in rows[side] for turn in turns)
    return job["recipe"] == "sft" or has_observations


def _measure(recipe, tokenizer, template, by_answers, settings, cut):
    """Gives the length of a row, and how many tokens of it are learned when it is cut at so many; None: it is not cut."""

    def ids(messages, **rest):
        made = tokenizer.apply_chat_template(messages, tokenize=True, return_dict=True, chat_template=template, **rest)
        return made

    def within(length):
        return length if cut is None else min(length, cut)

    def of_sft(row):
        turns = row["messages"] if "messages" in row else row["prompt"] + row["completion"]
        made = ids(turns, return_assistant_tokens_mask=by_answers)
        length = len(made["input_ids"])
        if not by_answers:
            return {"length": length, "learned": within(length)}
        # Of a row with a prompt, answers within the prompt are context.
        before = len(ids(row["prompt"])["input_ids"]) if "prompt" in row else 0
        return {"length": length, "learned": sum(made["assistant_masks"][before:cut])}

    def of_side(row, name):
        prompt = len(ids(row["prompt"], add_generation_prompt=True)["input_ids"])
        made = ids(row["prompt"] + row[name], return_assistant_tokens_mask=by_answers)
        length = len(made["input_ids"])
        if by_answers:
            return {"length": length, "learned": sum(made["assistant_masks"][prompt:cut])}
        return {"length": length, "learned": within(length) - within(prompt)}

    def of_pair(row):
        sides = [of_side(row, name) for name in SIDES["dpo"]]
        return {"length": max(side["length"] for side in sides), "learned": sum(side["learned"] for side in sides)}

    def of_judged(row):
        return of_side(row, "completion")

    def of_steps(row):
        texts = [row["prompt"], *(f"{step}\n" for step in row["completions"])]
        length = sum(len(tokenizer(text, add_special_tokens=False)["input_ids"]) for text in texts)
        return {"length": length, "learned": len(row["labels"])}

    def of_prompt(row):
        prompt = len(ids(row["prompt"], add_generation_prompt=True)["input_ids"])
        answer = settings["max_completion_length"]
        return {"length": prompt + answer, "learned": answer}

    def of_rollout(row):
        if row["advantages"] is None:
            raise TrainingError("refused", 'The rollouts have no advantages. Build them with an "advantage" but none.')
        prompt = len(row["prompt_ids"])
        length = prompt + len(row["completion_ids"])
        return {"length": length, "learned": sum(row["env_mask"][: max(0, within(length) - prompt)])}

    measures = {"sft": of_sft, "dpo": of_pair, "rpo": of_pair, "kto": of_judged, "prm": of_steps, "grpo": of_prompt}
    return {**measures, "policy-gradient": of_rollout}[recipe]


def _writes_end(tokenizer: PreTrainedTokenizerBase, template: str | None) -> bool:
    turns = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]
    made = tokenizer.apply_chat_template(turns, tokenize=True, return_dict=True, chat_template=template)["input_ids"]
    return tokenizer.eos_token_id in made[-4:]
