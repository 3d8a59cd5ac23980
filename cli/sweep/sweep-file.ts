import { parseDocument } from 'yaml'
import { z } from 'zod'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import { jsonObjectSchema } from '../../shared/core/contracts/json.ts'
import { experimentNameSchema } from '../../shared/core/contracts/labels.ts'
import { runLimitsSchema } from '../../shared/core/contracts/limits.ts'
import { modelChoiceSchema } from '../../shared/core/contracts/model-choice.ts'
import { presetIdSchema } from '../../shared/core/contracts/preset.ts'
import { runRequestSchema } from '../../shared/core/contracts/run.ts'
import { describeInvalid } from '../../shared/core/contracts/validation/describe-invalid.ts'
import { wrongUsage } from '../command-error.ts'
import { readText } from '../read-text.ts'

const labelSchema = z.string().min(1).max(100).optional()

const methodSchema = z.union([
  z.string().min(1),
  z.object({ id: z.string().min(1), label: labelSchema }).catchall(z.json()),
])

const environmentSchema = z.union([
  z.string().min(1),
  z.strictObject({
    id: z.string().min(1),
    label: labelSchema,
    tasks: jsonObjectSchema.optional(),
    data: z.string().min(1).optional(),
    environment_options: jsonObjectSchema.optional(),
    episode_limits: jsonObjectSchema.optional(),
  }),
])

const modelSchema = z.union([
  z.string().regex(/^[^:]+:.+$/, 'must be endpoint:model, such as openai:gpt-5-mini'),
  modelChoiceSchema.partial({ temperature: true, top_p: true }).extend({ label: labelSchema }),
])

/** A YAML file for `espalier sweep`: every combination of method, environment, model and seed is a run. */
const sweepSchema = z
  .strictObject({
    name: experimentNameSchema.describe(
      'Names the sweep: a second start with this name goes on with the first.',
    ),
    experiment: experimentNameSchema.optional().describe('Default: the name.'),
    methods: z.array(methodSchema).min(1).max(100).optional().describe('Default: the method of run.preset.'),
    environments: z.array(environmentSchema).min(1).max(100),
    models: z.array(modelSchema).min(1).max(100),
    seeds: z.array(runRequestSchema.shape.seed.unwrap()).min(1).max(1000).default([0]),
    run: runRequestSchema
      .pick({
        epochs: true,
        hosting: true,
        workers: true,
        max_parallel: true,
        max_retries: true,
        limits: true,
        episode_limits: true,
        roles: true,
        prompts: true,
        tags: true,
        note: true,
        metadata: true,
      })
      .partial()
      .extend({
        preset: presetIdSchema.optional().describe('Its settings hold unless the file states them.'),
      })
      .default({})
      .describe('What holds for every run.'),
    budget: runLimitsSchema.pick({ cost: true, tokens: true }).default({}).describe('Of all runs together.'),
    parallel: z.int().min(1).max(100).default(1).describe('Runs at a time.'),
  })
  .refine(({ methods, run }) => methods !== undefined || run.preset !== undefined, {
    path: ['methods'],
    message: 'is required, unless run.preset names the method',
  })

export type Sweep = z.infer<typeof sweepSchema>

/**
 * Reads a sweep from a YAML file.
 * @throws CommandError for an unreadable file or invalid YAML, with the line; EspalierError that names the field
 */
export async function readSweepFile(path: string): Promise<Sweep> {
  return parseSweep(await readText(path), path)
}

export function parseSweep(text: string, path: string): Sweep {
  const document = parseDocument(text, { prettyErrors: true })
  const [fault] = document.errors
  if (fault !== undefined) throw wrongUsage(`${path} is not YAML: ${fault.message.trim()}`)
  const value: unknown = document.toJS()
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw wrongUsage(
      `${path} must hold name, methods, environments and models; \`espalier sweep --help\` has one.`,
    )
  }
  const parsed = sweepSchema.safeParse(value)
  if (parsed.success) return parsed.data
  const { code, message, param } = describeInvalid(parsed.error, { part: 'json', schema: sweepSchema, value })
  throw new EspalierError(code, `${path}: ${message}`, param === null ? {} : { param })
}
