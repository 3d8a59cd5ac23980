import type { JsonObject } from '../../../shared/core/contracts/json.ts'

// Excerpts of the JSON Schema of `POST /v1/trainings`, for forms. They are written out because the zod schema would
// bring a validator into the page. A test compares them with the contract.

export const loraSchema: JsonObject = {
  properties: {
    rank: { type: 'integer', minimum: 1, maximum: 1024, default: 16 },
    alpha: {
      type: 'number',
      exclusiveMinimum: 0,
      default: 32,
      description: 'The update is scaled by alpha / rank.',
    },
    dropout: { type: 'number', minimum: 0, exclusiveMaximum: 1, default: 0.05 },
    target_modules: {
      anyOf: [
        { type: 'string', const: 'all-linear' },
        { type: 'array', minItems: 1, items: { type: 'string', minLength: 1 } },
      ],
      default: 'all-linear',
      description: 'Which layers get an adapter, by name.',
    },
    merge: {
      type: 'boolean',
      default: true,
      description:
        'True to merge the adapter into the weights at the end, so that any server reads the model.',
    },
  },
}

export const trainingSettingsSchema: JsonObject = {
  properties: {
    seed: { type: 'integer', minimum: 0, maximum: 2_147_483_647, default: 0 },
    checkpoint_steps: {
      type: 'integer',
      exclusiveMinimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Steps between two checkpoints. Default: a tenth of all steps.',
    },
    keep_checkpoints: {
      type: 'integer',
      minimum: 1,
      maximum: 100,
      default: 3,
      description: 'The newest so many are kept.',
    },
  },
}
