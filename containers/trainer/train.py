"""
Trains a model as a job says: `python train.py job.json`.

The job names the base, the data files, the recipe with all hyperparameters, and where to write. Progress goes to a file, line
by line; standard output and error are the log. Started again after a kill, it goes on from its last complete checkpoint with
the same rows in the same order. With several GPUs it starts itself once for each, by accelerate;
or as the configuration says that the job names.
"""

import json
import os
import subprocess
import sys
import traceback
from pathlib import Path
from typing import Any

from guard import StopRequest, exit_with_parent
from progress import EXIT_CODES, Progress, is_main_process, reason_of


def main() -> int:
    path, is_worker = sys.argv[1], "--worker" in sys.argv
    job = json.loads(Path(path).read_text(encoding="utf-8"))
    if not is_worker:
        exit_with_parent()
    progress = Progress(job["progress"], writes=is_main_process())
    stop = StopRequest(job["stop"])
    if not is_worker:
        progress.write("started", pid=os.getpid(), job=job.get("job"))
        options = _launch_options(job)
        if options is not None:
            return _launch(path, options)
    try:
        train(job, progress, stop)
        return 0
    except BaseException as error:  # noqa: BLE001 - whatever ends it is reported
        traceback.print_exc()
        reason, message = reason_of(error)
        try:
            progress.write("failed", reason=reason, message=message[:2000])
        except OSError as unwritten:
            print(f"The progress file cannot be written: {unwritten}", file=sys.stderr)
        return EXIT_CODES.get(reason, 70)


def train(job: dict[str, Any], progress: Progress, stop: StopRequest) -> None:
    """One start of the training, until it is done or asked to stop."""
    # Loading these takes seconds.
    import rows as row_files
    from base import name_of
    from check import check, context_of, load_tokenizer
    from recipes import build, save_model
    from report import Reporter, last_checkpoint
    from transformers import AutoConfig, set_seed

    progress.enter("checking")
    set_seed(job["seed"])
    tokenizer = load_tokenizer(job["base"])
    loaded, counts = row_files.load(job)
    loaded, max_length = check(job, loaded, counts, tokenizer, progress)
    name = name_of(job["base"])
    config = AutoConfig.from_pretrained(name, revision=job["base"].get("revision"))
    job["base_dtype"] = getattr(config, "dtype", None)
    progress.enter("loading")
    trainer = build(job, loaded, max_length, tokenizer, int(os.environ.get("WORLD_SIZE", "1")))
    found = last_checkpoint(job["output"])
    facts = {"tokens": 0, "seconds": 0.0} if found is None else found[1]
    reporter = Reporter(progress, stop, facts["tokens"], facts["seconds"])
    reporter.watch(trainer)
    trainer.add_callback(reporter)
    progress.enter("training")
    trainer.train(resume_from_checkpoint=None if found is None else str(found[0]))
    if stop.is_set and trainer.state.global_step < trainer.state.max_steps:
        progress.write("stopped")
        return
    progress.enter("saving")
    # Of shards every process gives its own.
    is_sharded = trainer.is_fsdp_enabled or trainer.is_deepspeed_enabled
    state = trainer.accelerator.get_state_dict(trainer.model) if is_sharded else None
    if is_main_process():
        folder = job.get("model") or str(Path(job["output"]) / "model")
        form = save_model(trainer, job, tokenizer, folder, state)
        progress.write("succeeded", folder=folder, format=form, context_length=context_of(job["base"]))


def _launch_options(job: dict[str, Any]) -> list[str] | None:
    """The options of `accelerate launch`; None for one process, which needs no launcher."""
    if job.get("accelerate"):
        return ["--config_file", job["accelerate"]]
    import torch

    devices = torch.cuda.device_count() if torch.cuda.is_available() else 0
    return ["--multi_gpu", "--num_processes", str(devices)] if devices > 1 else None


def _launch(path: str, options: list[str]) -> int:
    launcher = [sys.executable, "-m", "accelerate.commands.launch", *options]
    return subprocess.run([*launcher, __file__, path, "--worker"], check=False).returncode


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    sys.stderr.flush()
    # Threads of libraries that linger must not keep a finished training alive.
    os._exit(code)
