"""What a training reports while it goes: points, checkpoints, and its end when it is asked to stop."""

import json
import math
import time
from pathlib import Path
from typing import Any

from transformers import TrainerCallback, TrainerControl, TrainerState, TrainingArguments

from guard import StopRequest
from marks import MARKER, files_of, is_whole
from progress import Progress, TrainingError, finite

ACCURACY = ("mean_token_accuracy", "rewards/accuracies", "accuracy")


class Reporter(TrainerCallback):
    """Turns what the trainer logs into events."""

    def __init__(self, progress: Progress, stop: StopRequest, tokens_before: int, seconds_before: float) -> None:
        self._progress = progress
        self._stop = stop
        self._tokens_before = tokens_before
        self._seconds_before = seconds_before
        self._beat = 0.0
        self._trainer: Any = None

    def watch(self, trainer: Any) -> None:
        self._trainer = trainer

    @property
    def tokens(self) -> int:
        """Since the training began, of all starts. TRL counts those of this start."""
        return self._tokens_before + int(getattr(self._trainer, "_total_train_tokens", 0))

    def on_step_end(self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **_: Any) -> None:
        if time.monotonic() - self._beat >= 0.5:
            self._beat = time.monotonic()
            self._progress.write("step", step=state.global_step, steps=state.max_steps, tokens=self.tokens)
        if self._stop.is_set:
            control.should_save = True
            control.should_training_stop = True

    def on_log(
        self,
        args: TrainingArguments,
        state: TrainerState,
        control: TrainerControl,
        logs: dict[str, Any] | None = None,
        **_: Any,
    ) -> None:
        if not logs or "loss" not in logs:
            return
        loss, norm = float(logs["loss"]), float(logs.get("grad_norm", 0.0))
        if not math.isfinite(loss) or not math.isfinite(norm):
            what = "loss" if not math.isfinite(loss) else "gradient"
            raise TrainingError(
                "not_finite",
                f"The {what} was not finite at step {state.global_step}. Lower hyperparameters.learning_rate or look at the rows.",
            )
        accuracy = next((float(logs[name]) for name in ACCURACY if name in logs), None)
        known = {"loss", "learning_rate", "num_tokens", "epoch", "step", *ACCURACY}
        self._progress.write(
            "point",
            step=state.global_step,
            steps=state.max_steps,
            tokens=self.tokens,
            loss=loss,
            accuracy=accuracy,
            learning_rate=logs.get("learning_rate"),
            values=finite({name: value for name, value in logs.items() if name not in known}),
        )

    def on_save(self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **_: Any) -> None:
        """Marks the checkpoint as complete: one that a kill cut short has no mark."""
        if not state.is_world_process_zero:
            return
        folder = Path(args.output_dir) / f"checkpoint-{state.global_step}"
        facts = {
            "step": state.global_step,
            "tokens": self.tokens,
            "seconds": self._seconds_before + self._progress.seconds,
            "files": files_of(folder),
        }
        (folder / MARKER).write_text(json.dumps(facts), encoding="utf-8")
        self._progress.write("checkpoint", step=state.global_step, folder=str(folder))


def last_checkpoint(output: str) -> tuple[Path, dict[str, Any]] | None:
    """The newest checkpoint that is complete."""
    found = []
    for folder in Path(output).glob("checkpoint-*"):
        marker = folder / MARKER
        if marker.is_file():
            facts = json.loads(marker.read_text(encoding="utf-8"))
            if is_whole(folder, facts):
                found.append((facts, folder))
    if not found:
        return None
    facts, folder = max(found, key=lambda entry: entry[0]["step"])
    return folder, facts
