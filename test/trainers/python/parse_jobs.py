"""
Has the jobs that our READMEs and YAML describe parsed by the trainers' own code. A job: {trainer, folder, file?, settings?}.

Of axolotl its whole schema runs (`AxolotlInputConfig`), of LLaMA-Factory its whole parser of training arguments
(`get_train_args`), of XTuner the parser of configurations (mmengine's `Config`) and the function that the configuration names,
`process_hf_dataset`; its command and its model classes need an older Transformers.
"""

import os
import re
import tempfile

os.environ["AXOLOTL_DO_NOT_TRACK"] = "1"
os.environ["DISABLE_VERSION_CHECK"] = "1"

import yaml

import rows
import tiny


def parse(job):
    with open(os.path.join(job["folder"], "README.md")) as file:
        readme = file.read()
    return {"axolotl": of_axolotl, "llama-factory": of_llama_factory, "xtuner": of_xtuner}[job["trainer"]](job, readme)


def of_axolotl(job, _readme):
    from axolotl.utils.schemas.config import AxolotlInputConfig

    with open(os.path.join(job["folder"], "axolotl.yml")) as file:
        ours = yaml.safe_load(file)
    parsed = AxolotlInputConfig(**job["settings"], **ours)
    # Keys that the schema does not know are passed over: axolotl then goes by its defaults.
    sources = [*zip(ours["datasets"], parsed.datasets, strict=True)]
    sources += zip(ours.get("test_datasets", []), parsed.test_datasets or [], strict=True)
    known = [{key: getattr(kept, key) for key in said if key in type(kept).model_fields} for said, kept in sources]
    passed_over = [key for key in ours if key not in type(parsed).model_fields]
    for (said, _), read in zip(sources, known, strict=True):
        passed_over += [key for key in said if key not in read]
        assert all(said[key] == value for key, value in read.items()), f"{said} is read as {read}"
    return {"passed_over": passed_over}


def of_llama_factory(job, readme):
    from llamafactory.hparams import get_train_args

    block = re.search(r"```yaml\n(.*?)```", readme, re.DOTALL).group(1)
    said = yaml.safe_load(block) | {"dataset_dir": job["folder"]}
    with tempfile.TemporaryDirectory() as folder:
        _, data, _, finetuning, _ = get_train_args({**said, **job["settings"], "output_dir": folder})
    return {
        "said": said["dataset"].split(","),
        "read": data.dataset,
        "stage": finetuning.stage,
        "mask_history": data.mask_history,
    }


def of_xtuner(job, readme):
    from datasets import load_dataset

    import stubbed_xtuner
    from mmengine.config import Config
    from xtuner.dataset.huggingface import process_hf_dataset

    os.chdir(job["folder"])
    block = re.search(r"```python\n(.*?)```", readme, re.DOTALL).group(1)
    lines = [
        "from datasets import load_dataset",
        "from xtuner.dataset.huggingface import process_hf_dataset",
        "from xtuner.dataset.map_fns.template_map_fn import template_map_fn_factory",
        "from xtuner.utils import templates",
        "prompt_template = templates.PROMPT_TEMPLATE.qwen_chat",
        block.replace("    …\n", "    max_length=4096,\n    pack_to_max_length=False,\n    map_num_proc=1,\n"),
    ]
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write("\n".join(lines))
        file.flush()
        settings = dict(Config.fromfile(file.name).train_dataset.items())
    assert settings.pop("type") is process_hf_dataset
    files = settings["dataset"]["data_files"]
    tokenizer = tiny.tokenizer(rows.texts(load_dataset("json", data_files=files, split="train").to_list()))
    tokenizer.__class__ = type("Qwen2TokenizerFast", (type(tokenizer),), {})
    made = process_hf_dataset(**settings, tokenizer=tokenizer)
    return [
        {"text": tokenizer.decode(row["input_ids"]), "learned": tiny.learned(tokenizer, row["input_ids"], row["labels"])}
        for row in made
    ]


rows.work(parse)
