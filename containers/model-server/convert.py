"""Writes a GGUF file from a folder in the layout of Hugging Face's transformers.

usage: convert.py FOLDER GGUF. Shapes: Qwen2, Qwen3, Llama and Mistral; tensors are written as they are, bfloat16 as such.
"""

import os
import sys
from pathlib import Path
from typing import Any

import gguf
import numpy
from gguf_vocabulary import read_json, write_vocabulary
from safetensors_file import read_tensors

ARCHITECTURES = {
    "qwen2": gguf.MODEL_ARCH.QWEN2,
    "qwen3": gguf.MODEL_ARCH.QWEN3,
    "llama": gguf.MODEL_ARCH.LLAMA,
    "mistral": gguf.MODEL_ARCH.LLAMA,
}


def main() -> None:
    folder, target = Path(sys.argv[1]), Path(sys.argv[2])
    settings = read_json(folder / "config.json")
    kind = settings.get("model_type")
    if kind not in ARCHITECTURES:
        known = ", ".join(ARCHITECTURES)
        raise SystemExit(f"Models of the type {kind} cannot be converted; known are {known}. Serve it by another driver.")
    architecture = ARCHITECTURES[kind]
    making = target.with_suffix(".making")
    writer = gguf.GGUFWriter(str(making), gguf.MODEL_ARCH_NAMES[architecture], use_temp_file=True)
    write_shape(writer, settings)
    tensors = dict(read_tensors(folder))
    write_vocabulary(writer, folder, tensors["model.embed_tokens.weight"].shape[0])
    names = gguf.get_tensor_name_map(architecture, settings["num_hidden_layers"])
    for name, values in tensors.items():
        known = names.get_name(name, try_suffixes=(".weight", ".bias"))
        if known is None:
            raise SystemExit(f"There is no place for the tensor {name} in a GGUF file of this shape.")
        if architecture is gguf.MODEL_ARCH.LLAMA:
            values = as_llama(name, values, settings)
        add_tensor(writer, known, values, settings)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    os.replace(making, target)


def write_shape(writer: gguf.GGUFWriter, settings: dict[str, Any]) -> None:
    scaling = settings.get("rope_scaling") or settings.get("rope_parameters") or {}
    rope = scaling.get("rope_type") or scaling.get("type") or "default"
    if rope != "default":
        raise SystemExit(f"Positions scaled by {rope} are not converted. Serve the model by another driver.")
    heads = settings["num_attention_heads"]
    writer.add_context_length(settings["max_position_embeddings"])
    writer.add_embedding_length(settings["hidden_size"])
    writer.add_feed_forward_length(settings["intermediate_size"])
    writer.add_block_count(settings["num_hidden_layers"])
    writer.add_head_count(heads)
    writer.add_head_count_kv(settings.get("num_key_value_heads") or heads)
    writer.add_layer_norm_rms_eps(settings["rms_norm_eps"])
    writer.add_rope_freq_base(settings.get("rope_theta") or scaling.get("rope_theta") or 10000.0)
    width = settings.get("head_dim") or settings["hidden_size"] // heads
    writer.add_key_length(width)
    writer.add_value_length(width)
    writer.add_rope_dimension_count(width)
    writer.add_vocab_size(settings["vocab_size"])


def as_llama(name: str, values: numpy.ndarray, settings: dict[str, Any]) -> numpy.ndarray:
    """Queries and keys with the halves of each head interleaved, as llama.cpp rotates them."""
    heads = settings["num_attention_heads"]
    if "k_proj" in name:
        heads = settings.get("num_key_value_heads") or heads
    elif "q_proj" not in name:
        return values
    shape = values.shape
    halves = values.reshape(heads, 2, shape[0] // heads // 2, *shape[1:])
    return halves.swapaxes(1, 2).reshape(shape)


def add_tensor(writer: gguf.GGUFWriter, name: str, values: numpy.ndarray, settings: dict[str, Any]) -> None:
    """Vectors are kept as float32, which llama.cpp wants; matrices as the model has them."""
    if values.ndim == 1 or values.dtype == numpy.float64:
        writer.add_tensor(name, numpy.ascontiguousarray(values, numpy.float32))
    elif (settings.get("dtype") or settings.get("torch_dtype")) == "bfloat16":
        kind = gguf.GGMLQuantizationType.BF16
        writer.add_tensor(name, gguf.quantize(numpy.ascontiguousarray(values, numpy.float32), kind), raw_dtype=kind)
    else:
        writer.add_tensor(name, numpy.ascontiguousarray(values))


main()
