"""Makes a model with random weights and serves it over OpenAI's API, on a free port, until its input ends.

A Qwen2 of two layers whose tokenizer has one token for each byte, so that bytes and tokens are the same count.
"""
import os
import sys
import tempfile

import gguf
import numpy
import xllamacpp

WIDTH, HIDDEN, HEADS, LAYERS, CONTEXT, SLOTS = 64, 128, 4, 2, 32768, 4
TEMPLATE = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)


def byte_alphabet():
    """The characters that stand for the 256 bytes in vocabularies of byte-level BPE."""
    shown = [*range(33, 127), *range(161, 173), *range(174, 256)]
    hidden = [byte for byte in range(256) if byte not in shown]
    letters = {byte: chr(byte) for byte in shown} | {byte: chr(256 + place) for place, byte in enumerate(hidden)}
    return [letters[byte] for byte in range(256)]


def write_model(path):
    letters = byte_alphabet()
    # A vocabulary has to merge something: two zero bytes, which no prompt holds.
    tokens = [*letters, "<|im_start|>", "<|im_end|>", letters[0] * 2]
    kinds = [gguf.TokenType.NORMAL] * 256 + [gguf.TokenType.CONTROL] * 2 + [gguf.TokenType.NORMAL]
    writer = gguf.GGUFWriter(path, "qwen2")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_feed_forward_length(HIDDEN)
    writer.add_block_count(LAYERS)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_rope_freq_base(10000.0)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokens)
    writer.add_token_types(kinds)
    writer.add_token_merges([f"{letters[0]} {letters[0]}"])
    writer.add_eos_token_id(257)
    writer.add_pad_token_id(257)
    writer.add_add_bos_token(False)
    writer.add_chat_template(TEMPLATE)
    random = numpy.random.default_rng(0)

    def matrix(name, *shape):
        values = (random.standard_normal(shape) * 0.05).astype(numpy.float32)
        # The first dimension is the same everywhere, and speaks for the end alone: an answer has about a dozen tokens.
        if name == "token_embd.weight":
            values[:, 0] = 1.0
        elif name.endswith(("attn_output.weight", "ffn_down.weight")):
            values[0] = 0.0
        elif name == "output.weight":
            values[:, 0] = 0.0
            values[257, 0] = 0.22
        writer.add_tensor(name, values)

    def ones(name):
        writer.add_tensor(name, numpy.ones(WIDTH, numpy.float32))

    matrix("token_embd.weight", len(tokens), WIDTH)
    ones("output_norm.weight")
    matrix("output.weight", len(tokens), WIDTH)
    for layer in range(LAYERS):
        at = f"blk.{layer}."
        ones(f"{at}attn_norm.weight")
        for part in "qkv":
            matrix(f"{at}attn_{part}.weight", WIDTH, WIDTH)
            matrix(f"{at}attn_{part}.bias", WIDTH)
        matrix(f"{at}attn_output.weight", WIDTH, WIDTH)
        ones(f"{at}ffn_norm.weight")
        matrix(f"{at}ffn_gate.weight", HIDDEN, WIDTH)
        matrix(f"{at}ffn_up.weight", HIDDEN, WIDTH)
        matrix(f"{at}ffn_down.weight", WIDTH, HIDDEN)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "tiny.gguf")
        write_model(path)
        parameters = xllamacpp.CommonParams()
        parameters.model.path = path
        parameters.model_alias = {"tiny"}
        parameters.hostnames = ["127.0.0.1"]
        parameters.port = 0
        parameters.n_parallel = SLOTS
        parameters.n_ctx = CONTEXT
        parameters.n_gpu_layers = 0
        parameters.cpuparams.n_threads = 1
        parameters.use_jinja = True
        parameters.warmup = False
        parameters.fit_params = False
        parameters.cache_prompt = False
        server = xllamacpp.Server(parameters)
        print(f"listening at {server.listening_address}", flush=True)
        sys.stdin.read()
    # Its threads would be waited for.
    os._exit(0)


main()
