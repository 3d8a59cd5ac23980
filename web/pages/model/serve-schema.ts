import type { JsonObject } from '../../../shared/core/contracts/json.ts'

// The JSON Schema of `POST /v1/registered-models/{model}/serve`, for the form. It is written out because the zod
// schema would bring a validator into the page. A test compares it with the contract.

export const serveSchema: JsonObject = {
  properties: {
    driver: {
      type: 'string',
      enum: ['llama-cpp', 'vllm', 'sglang', 'command', 'remote'],
      description:
        'The serving program. Default: `vllm` or `sglang` if one is installed and there is a GPU, else `llama-cpp`. `remote` is for a model that a service keeps, and for no other.',
    },
    command: {
      type: 'array',
      minItems: 1,
      maxItems: 200,
      items: { type: 'string', maxLength: 4096 },
      description:
        'The program of the driver `command` and its arguments; `{folder}`, `{port}`, `{name}` and `{context}` are filled in. It must serve `/v1/chat/completions` and `/health` at 127.0.0.1. For the operator of the service alone.',
    },
    context: {
      type: 'integer',
      minimum: 64,
      maximum: 10_000_000,
      description: 'Tokens of prompt and answer of one call. Default: the context length of the model.',
    },
    slots: {
      type: 'integer',
      minimum: 1,
      maximum: 1024,
      default: 4,
      description: 'Maximum number of parallel calls.',
    },
    threads: {
      type: 'integer',
      minimum: 1,
      maximum: 1024,
      description:
        'Threads of a server on a CPU. Default: `OMP_NUM_THREADS`, or the processors that there are.',
    },
    accelerator: {
      type: 'string',
      pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
      description:
        'The accelerator that it holds while it runs, which trainings and other servers wait for, or `none`. Default: `gpu` of `vllm` and `sglang`, `none` of others.',
    },
    idle_minutes: {
      type: 'number',
      exclusiveMinimum: 0,
      maximum: 10_080,
      default: 10,
      description: 'Minutes without a call after which the server is stopped. The next call starts it again.',
    },
    start_seconds: {
      type: 'integer',
      minimum: 1,
      maximum: 86_400,
      default: 600,
      description: 'Seconds within which a server must be healthy after its start.',
    },
  },
}
