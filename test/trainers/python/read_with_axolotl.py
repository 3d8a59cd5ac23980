"""Tokenizes datasets with axolotl's own strategies, as their axolotl.yml says. A job: {folder}."""

import os

os.environ["AXOLOTL_DO_NOT_TRACK"] = "1"

import yaml
from axolotl.prompt_strategies import chat_template, stepwise_supervised
from axolotl.prompt_strategies.dpo import chat_template as pairs
from axolotl.utils.data.shared import load_dataset_with_config
from axolotl.utils.dict import DictDefault

import rows
import tiny


def read(job):
    os.chdir(job["folder"])
    with open("axolotl.yml") as file:
        configuration = DictDefault({"sequence_len": 4096, **yaml.safe_load(file)})
    source = configuration.datasets[0]
    data = load_dataset_with_config(source, use_auth_token=False)
    tokenizer = tiny.tokenizer(rows.texts(data.to_list()))
    if configuration.rl == "dpo":
        transform, _ = pairs.default(configuration)
        return [transform(row, tokenizer=tokenizer) for row in data]
    if configuration.process_reward_model:
        strategy = stepwise_supervised.load(tokenizer, configuration, source)
        return [steps(tokenizer, strategy.tokenize_prompt(row)) for row in data]
    strategy = chat_template.StrategyLoader()(tokenizer, configuration, source)
    return [told(tokenizer, strategy.tokenize_prompt(row)) for row in data]


def told(tokenizer, row):
    text = tokenizer.decode(row["input_ids"])
    return {"text": text, "learned": tiny.learned(tokenizer, row["input_ids"], row["labels"])}


def steps(tokenizer, row):
    ends = [index for index, label in enumerate(row["labels"]) if label != -100]
    texts = [tokenizer.decode(row["input_ids"][: end + 1]) for end in ends]
    return {"texts": texts, "labels": [row["labels"][end] for end in ends]}


rows.work(read)
