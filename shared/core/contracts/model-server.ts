import { z } from 'zod'

export const serverDriverSchema = z.enum(['llama-cpp', 'vllm', 'sglang', 'command', 'machine', 'remote'])

export type ServerDriverName = z.infer<typeof serverDriverSchema>

/**
 * A name that trainings and servers agree on; `none`: no accelerator. Programs read the device from
 * `CUDA_VISIBLE_DEVICES`.
 */
export const acceleratorNameSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'names are letters, digits, dots, dashes and underscores')

export const variablesSchema = z
  .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of a variable'), z.string())
  .default({})

export const serveFields = {
  driver: serverDriverSchema
    .optional()
    .describe(
      'The serving program. Default: `machine` if a machine has joined to serve models, by a program that it chooses; else `vllm` or `sglang` if one is installed and there is a GPU, else `llama-cpp`. `remote` is for a model that a service keeps, and for no other.',
    ),
  command: z
    .array(z.string().max(4096))
    .min(1)
    .max(200)
    .optional()
    .describe(
      'The program of the driver `command` and its arguments; `{folder}`, `{port}`, `{name}` and `{context}` are filled in. It must serve `/v1/chat/completions` and `/health` at 127.0.0.1. For the operator of the service alone.',
    ),
  context: z
    .int()
    .min(64)
    .max(10_000_000)
    .optional()
    .describe('Tokens of prompt and answer of one call. Default: the context length of the model.'),
  slots: z.int().min(1).max(1024).default(4).describe('Maximum number of parallel calls.'),
  threads: z
    .int()
    .min(1)
    .max(1024)
    .optional()
    .describe('Threads of a server on a CPU. Default: `OMP_NUM_THREADS`, or the number of processors.'),
  accelerator: acceleratorNameSchema
    .optional()
    .describe(
      'The accelerator that it reserves while it runs, or `none`; trainings and other servers wait for it. Default: `gpu` for `vllm` and `sglang`, else `none`.',
    ),
  idle_minutes: z
    .number()
    .positive()
    .max(10_080)
    .default(10)
    .describe('Minutes without a call after which the server is stopped. The next call starts it again.'),
  start_seconds: z
    .int()
    .min(1)
    .max(86_400)
    .default(600)
    .describe('Seconds within which a server must be healthy after its start.'),
}

export const serveRequestSchema = z
  .strictObject(serveFields)
  .refine(({ driver, command }) => (driver === 'command') === (command !== undefined), {
    message: 'The driver "command" needs a command, and no other driver takes one.',
    path: ['command'],
  })
  .meta({ id: 'ServeRequest' })

export type ServeRequest = z.input<typeof serveRequestSchema>
export type ServeSettings = z.infer<typeof serveRequestSchema>

/**
 * `stopped`: the next call starts it. `starting`: its files are written, converted or loaded, or it waits for the
 * accelerator; `note` names the step. `failed`: it did not start; a call some time later tries again.
 */
export const serverStateSchema = z.enum(['stopped', 'starting', 'running', 'failed'])

export type ServerState = z.infer<typeof serverStateSchema>

export const modelServerSchema = z
  .object({
    id: z.string().describe('The registered model.'),
    object: z.literal('model_server'),
    name: z.string().describe('The name of the model.'),
    endpoint: z.string().describe('Name of the endpoint for calls to the model.'),
    state: serverStateSchema,
    note: z.string().nullable().describe('The reason why a starting server waits, or why it failed.'),
    log_tail: z.array(z.string()).describe('Last log lines of a server that failed.'),
    driver: serverDriverSchema,
    settings: serveRequestSchema,
    address: z
      .string()
      .nullable()
      .describe(
        'The server’s address on the machine of the service. If a service keeps the model: that service.',
      ),
    restarts: z.int().min(0).describe('Number of restarts after unexpected exits.'),
    created_at: z.iso.datetime(),
    started_at: z.iso.datetime().nullable(),
    used_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ModelServer' })

export type ModelServer = z.infer<typeof modelServerSchema>

export const stoppedServerSchema = z
  .object({ id: z.string(), object: z.literal('model_server'), stopped: z.literal(true) })
  .meta({ id: 'StoppedModelServer' })
