import { z } from 'zod'
import { fileNameSchema, modelNameSchema, revisionSchema } from './path-types.ts'

const longestName = 200

const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hexadecimal')

/** A piece of a file, stored once for every model of a tenant that has the same bytes. */
export const weightPartSchema = z.object({ sha256: sha256Schema, bytes: z.int().min(1) })

export const modelFileSchema = z
  .object({
    name: fileNameSchema,
    bytes: z.int().min(0),
    sha256: sha256Schema.describe(
      'Digest of the whole file, checked whenever the file is written to a folder.',
    ),
    parts: z.array(weightPartSchema).max(100_000),
  })
  .meta({ id: 'ModelFile' })

export type ModelFile = z.infer<typeof modelFileSchema>

export const weightsFormatSchema = z.enum(['safetensors', 'gguf', 'adapter'])

export type WeightsFormat = z.infer<typeof weightsFormatSchema>

/** `remote`: a service keeps the weights, and none are here. */
export const modelFormatSchema = z.enum([...weightsFormatSchema.options, 'remote'])

export const remoteModelSchema = z
  .object({
    trainer: z.string().min(1).describe('The trainer whose service keeps it.'),
    name: z.string().min(1).describe('The name under which the service knows it.'),
  })
  .meta({ id: 'RemoteModel' })

export type RemoteModel = z.infer<typeof remoteModelSchema>

export const modelSourceSchema = z.union([
  z.strictObject({
    hub: z.string().min(1).max(300).describe("A model's name at a hub, such as Qwen/Qwen3-0.6B."),
    revision: z.string().min(1).max(200).optional(),
  }),
  z.strictObject({ folder: z.string().min(1).max(4096) }),
])

export type ModelSource = z.infer<typeof modelSourceSchema>

const modelFacts = {
  name: z.string().trim().min(1).max(longestName),
  parent: z.string().nullable().describe('The registered model that it was trained from.'),
  base: modelSourceSchema
    .nullable()
    .describe('The model outside the registry that it was trained from, or a copy of.'),
  training: z.string().nullable().describe('The training that made it.'),
  datasets: z.array(z.string()).max(1000).describe('The datasets that it was trained on.'),
  runs: z.array(z.string()).max(100_000).describe('The runs that these datasets were built from.'),
  format: weightsFormatSchema,
  tokenizer: fileNameSchema
    .nullable()
    .describe(
      'File with its tokenizer, in the format of `tokenizer.json`; null: none that can be read here.',
    ),
  chat_template: z.string().nullable().describe('The Jinja template that makes a prompt of messages.'),
  context_length: z.int().min(1).nullable().describe('Tokens of prompt and answer together.'),
  licence: z.string().max(2000).nullable().describe('Its licence, if known.'),
}

export const registeredModelSchema = z
  .object({
    id: z.string(),
    object: z.literal('registered_model'),
    created_at: z.iso.datetime(),
    ...modelFacts,
    format: modelFormatSchema,
    remote: remoteModelSchema
      .nullable()
      .default(null)
      .describe('The service that keeps it, if it has no files here; null: its files are here.'),
    files: z.array(modelFileSchema),
    bytes: z.int().min(0).describe('Total size of all files.'),
    endpoint: z.string().nullable().describe('Name of the endpoint for calls to it; null: it is not served.'),
  })
  .meta({ id: 'RegisteredModel' })

export type RegisteredModel = z.infer<typeof registeredModelSchema>

const givenFacts = z
  .object({
    ...modelFacts,
    base: z
      .union([
        z.strictObject({
          hub: modelNameSchema.describe("A model's name at a hub, such as Qwen/Qwen3-0.6B."),
          revision: revisionSchema.optional(),
        }),
        z.strictObject({ folder: z.string().min(1).max(4096) }),
      ])
      .nullable()
      .describe('The model outside the registry that it was trained from, or a copy of.'),
  })
  .partial().shape

export const registeredModelRequestSchema = z
  .strictObject({
    ...givenFacts,
    folder: z
      .string()
      .min(1)
      .max(4096)
      .optional()
      .describe('A folder on the machine of the service; for its operator alone.'),
    files: z
      .array(modelFileSchema)
      .min(1)
      .max(1000)
      .optional()
      .describe('Files whose parts were uploaded with `PUT /v1/weight-parts/{sha256}`.'),
  })
  .refine(({ folder, files }) => (folder === undefined) !== (files === undefined), {
    message: 'Give a folder, or files whose parts were uploaded.',
    path: ['folder'],
  })
  .meta({ id: 'RegisteredModelRequest' })

export type RegisteredModelRequest = z.infer<typeof registeredModelRequestSchema>

export const storedWeightPartSchema = weightPartSchema.extend({ object: z.literal('weight_part') }).meta({
  id: 'WeightPart',
})

export type StoredWeightPart = z.infer<typeof storedWeightPartSchema>

export const deletedModelSchema = z
  .object({ id: z.string(), object: z.literal('registered_model'), deleted: z.literal(true) })
  .meta({ id: 'DeletedRegisteredModel' })

export const lineageStepSchema = z
  .object({
    model: z.string(),
    name: z.string(),
    created_at: z.iso.datetime(),
    training: z.string().nullable(),
    datasets: z.array(z.string()),
    runs: z.array(z.string()),
    base: modelSourceSchema.nullable(),
  })
  .meta({ id: 'ModelLineageStep' })

export const modelLineageSchema = z
  .object({
    object: z.literal('model_lineage'),
    model: z.string(),
    steps: z
      .array(lineageStepSchema)
      .describe('The model, then its parent, and so on to the first registered one.'),
    children: z.array(z.string()).describe('Registered models trained from it.'),
  })
  .meta({ id: 'ModelLineage' })

export type ModelLineage = z.infer<typeof modelLineageSchema>
