"""
Loads datasets that show pictures as their READMEs say. A job: {folder, trainer}.

`datasets`: the column `images` as PIL images. `trl`: the names in the folder, read by datasets, and put into their places by TRL.
`llama-factory`: what its loader makes of the rows, with the files that it found.
"""

import os
import tempfile

os.environ["DISABLE_VERSION_CHECK"] = "1"

from datasets import Image, List, load_dataset

import rows


def seen(image):
    """A picture as what can be compared: its size, and the colour of its first pixel."""
    return [*image.size, *image.convert("RGB").getpixel((0, 0))]


def read(folder):
    """Its cache tells datasets apart by the time when their files were written, which may be the same."""
    return load_dataset(folder, split="train", cache_dir=tempfile.mkdtemp(prefix="espalier-datasets-"))


def columns(folder):
    return [[seen(image) for image in row["images"]] for row in read(folder)]


def trl(folder):
    from trl.data_utils import prepare_multimodal_messages

    loaded = read(folder)
    loaded = loaded.map(lambda row: {"images": [os.path.join(folder, name) for name in row["images"]]})
    loaded = loaded.cast_column("images", List(Image()))
    made = []
    for row in loaded:
        prompt = prepare_multimodal_messages(without_nulls(row["prompt"]), images=row["images"])
        sides = [name for name in ("completion", "chosen", "rejected") if row.get(name) is not None]
        answers = [prepare_multimodal_messages(without_nulls(row[name])) for name in sides]
        made.append([[parts(message) for message in messages] for messages in [prompt, *answers]])
    return made


def without_nulls(messages):
    """As TRL's collators have them: what one part lacks is null in the columns of all."""
    return [
        {**message, "content": [{key: value for key, value in part.items() if value is not None} for part in message["content"]]}
        for message in messages
    ]


def parts(message):
    shown = [seen(part["image"]) if part["type"] == "image" else part["text"] for part in message["content"]]
    return [message["role"], *shown]


def llama_factory(folder):
    from llamafactory.data.loader import _load_single_dataset
    from llamafactory.data.parser import get_dataset_list
    from llamafactory.hparams import DataArguments, ModelArguments
    from PIL import Image as Pillow
    from transformers import Seq2SeqTrainingArguments

    (attributes,) = get_dataset_list(["rows"], folder)
    arguments = DataArguments(template="chatml", dataset="rows", dataset_dir=folder, media_dir=folder)
    training = Seq2SeqTrainingArguments(output_dir=folder, report_to="none", use_cpu=True, bf16=False)
    loaded = _load_single_dataset(attributes, ModelArguments(model_name_or_path="tiny"), arguments, training)
    return [
        {
            "prompt": row["_prompt"],
            "response": row["_response"],
            "images": [seen(Pillow.open(path)) for path in row["_images"] or []],
        }
        for row in loaded
    ]


readers = {"datasets": columns, "trl": trl, "llama-factory": llama_factory}


def load(job):
    return readers[job["trainer"]](job["folder"])


rows.work(load)
