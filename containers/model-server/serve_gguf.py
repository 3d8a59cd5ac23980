"""Serves a GGUF file over OpenAI's API with llama.cpp, until its input ends.

usage: serve_gguf.py SETTINGS, a JSON file: {gguf, name, port, slots, context, threads, chat_template}
"""

import json
import os
import sys
import threading

import xllamacpp

# Bytes of a model below which attention is computed in float32: half as exact, as flash attention and its usual cache
# have it, log-probabilities of small models are wrong by 0.006, and answers differ.
EXACT_BELOW = 1_000_000_000


def main() -> None:
    with open(sys.argv[1], encoding="utf-8") as file:
        settings = json.load(file)
    parameters = xllamacpp.CommonParams()
    parameters.model.path = settings["gguf"]
    parameters.model_alias = {settings["name"]}
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = settings["port"]
    parameters.n_parallel = settings["slots"]
    # The context is divided among the slots.
    parameters.n_ctx = (settings["context"] or 0) * settings["slots"]
    parameters.n_gpu_layers = 0
    parameters.cpuparams.n_threads = settings["threads"]
    parameters.use_jinja = True
    parameters.warmup = False
    parameters.fit_params = False
    # A call that does not say otherwise samples from the model's own distribution; llama.cpp would cut its tail.
    parameters.sampling.temp = 1.0
    parameters.sampling.top_p = 1.0
    parameters.sampling.top_k = 0
    parameters.sampling.min_p = 0.0
    if os.path.getsize(settings["gguf"]) < EXACT_BELOW:
        parameters.cache_type_k = xllamacpp.ggml_type.GGML_TYPE_F32
        parameters.cache_type_v = xllamacpp.ggml_type.GGML_TYPE_F32
        parameters.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
    if settings["chat_template"] is not None:
        parameters.chat_template = settings["chat_template"]
    server = xllamacpp.Server(parameters)
    print(f"listening at {server.listening_address}", flush=True)
    # A thread of its own, so that a signal ends the process while it reads.
    reader = threading.Thread(target=sys.stdin.read, daemon=True)
    reader.start()
    reader.join()
    # llama.cpp's threads would be waited for.
    os._exit(0)


main()
