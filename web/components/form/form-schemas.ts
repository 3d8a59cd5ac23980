// JSON Schemas of requests and their parts, for forms. Only the build and tests run this module, because zod would
// bring a validator into the page: the plugin `formSchemas` replaces it by its values.
import { z } from 'zod'
import { datasetRequestSchema, gatesSchema as gates } from '../../../shared/core/contracts/dataset.ts'
import { endpointSchema as endpoint } from '../../../shared/core/contracts/endpoint-configuration.ts'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import {
  episodeLimitsSchema as episodeLimits,
  runLimitsSchema as runLimits,
} from '../../../shared/core/contracts/limits.ts'
import { loopRequestSchema } from '../../../shared/core/contracts/loop.ts'
import { loopSettingsSchema } from '../../../shared/core/contracts/loop-settings.ts'
import { modelChoiceSchema, roleChoiceSchema } from '../../../shared/core/contracts/model-choice.ts'
import { serveRequestSchema } from '../../../shared/core/contracts/model-server.ts'
import { runRequestSchema, taskSelectionSchema } from '../../../shared/core/contracts/run.ts'
import { taskGenerationSchema } from '../../../shared/core/contracts/task-generation.ts'
import {
  loraSchema as lora,
  trainingLimitsSchema,
  trainingRequestSchema,
} from '../../../shared/core/contracts/training.ts'

interface ObjectSchema extends JsonObject {
  properties: Record<string, JsonObject>
}

const run = schemaOf(runRequestSchema)
const model = schemaOf(modelChoiceSchema)
const role = schemaOf(roleChoiceSchema)
const dataset = schemaOf(datasetRequestSchema)
const training = schemaOf(trainingRequestSchema)
const loop = schemaOf(loopRequestSchema)

export const runLimitsSchema = schemaOf(runLimits)
export const episodeLimitsSchema = schemaOf(episodeLimits)
export const workLimitsSchema = schemaOf(trainingLimitsSchema)

export const modelSettingsSchema = without(model, ['endpoint', 'id'])
export const roleSettingsSchema = pick(
  role,
  Object.keys(modelSettingsSchema.properties).filter((name) => name in role.properties),
)
export const settingsSchema = pick(run, ['epochs', 'seed', 'sampling_seed', 'max_parallel', 'max_retries'])
export const placeSchema = pick(run, ['hosting', 'workers', 'data', 'record'])
export const generationSchema = pick(schemaOf(taskGenerationSchema), ['count', 'seed', 'split'])
export const taskCountSchema = pick(schemaOf(taskSelectionSchema), ['limit'])

export const gatesSchema = schemaOf(gates)
export const mixSchema = { properties: dataset.properties.mix?.properties } as ObjectSchema
export const otherSchema = pick(dataset, ['pictures', 'seed', 'rows_per_file'])

export const loraSchema = schemaOf(lora)
export const trainingSettingsSchema = pick(training, ['seed', 'checkpoint_steps', 'keep_checkpoints'])
export const serveSchema = schemaOf(serveRequestSchema)

/** A setting that may be a list by round is entered as a list: one value holds for every round. */
export const loopSettingFields: Record<string, JsonObject> = Object.fromEntries(
  Object.entries(schemaOf(loopSettingsSchema).properties).map(([name, { anyOf, ...field }]) => [
    name,
    Array.isArray(anyOf) ? { ...(anyOf[1] as JsonObject), ...field } : { ...field },
  ]),
)
export const comparisonSchema = pick(loop, [
  'control',
  'metric',
  'patience',
  'evaluation_epochs',
  'candidates',
  'checkpoint_steps',
  'max_errored',
  'max_errored_difference',
])
export const askingSchema = pick(model, ['top_p', 'max_tokens', 'max_prompt_tokens'])
export const loopPaceSchema = pick(loop, ['seed', 'max_parallel', 'max_retries'])

export const endpointSchema: JsonObject = {
  anyOf: (z.toJSONSchema(endpoint, { io: 'input' }).oneOf ?? []).map(({ properties, required }) => ({
    properties,
    required,
  })) as JsonObject[],
}

function schemaOf(contract: z.ZodType): ObjectSchema {
  const { $defs = {}, ...schema } = z.toJSONSchema(contract, { io: 'input' })
  const { properties } =
    [schema, ...Object.values($defs)].find((each) => each.properties !== undefined) ?? schema
  return { properties } as ObjectSchema
}

function pick({ properties }: ObjectSchema, names: readonly string[]): ObjectSchema {
  return {
    properties: Object.fromEntries(
      names.map((name) => {
        const field = properties[name]
        if (field === undefined) throw new Error(`The contract has no field ${name}.`)
        return [name, field]
      }),
    ),
  }
}

function without({ properties }: ObjectSchema, names: readonly string[]): ObjectSchema {
  const kept = Object.keys(properties).filter((name) => !names.includes(name))
  return pick({ properties }, kept)
}
