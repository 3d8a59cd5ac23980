import type { JsonObject } from '../../../shared/core/contracts/json.ts'

// Excerpts of the JSON Schema of `POST /v1/loops`, for the form. They are written out because the zod schema would
// bring a validator into the page. A test compares them with the contract. A setting that may be a list by round is
// entered as a list: one value holds for every round.

const rounds = { minItems: 1, maxItems: 50, type: 'array' }
const listOf = (items: JsonObject, description?: string): JsonObject => ({
  ...rounds,
  items,
  ...(description !== undefined && { description }),
})
const unit: JsonObject = { type: 'number', minimum: 0, maximum: 1 }
const share: JsonObject = { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }
const positive: JsonObject = { type: 'number', exclusiveMinimum: 0 }
const temperature: JsonObject = { type: 'number', minimum: 0, maximum: 2 }

export const loopSettingFields: Record<string, JsonObject> = {
  rounds: {
    type: 'integer',
    minimum: 1,
    maximum: 50,
    description: 'Rounds after round 0, which measures the start.',
  },
  warm_start: {
    type: 'string',
    enum: ['sft', 'none'],
    description: '`sft`: round 0 trains the base on the rows of the experts; `none`: the base is the start.',
  },
  start_from: listOf(
    { type: 'string', enum: ['base', 'previous', 'best'] },
    'Which model the training of a round starts from: the base of the loop, the model of the round before, or the best so far.',
  ),
  explore_with: listOf({ type: 'string', enum: ['previous', 'best'] }, 'Which model explores in a round.'),
  method: { description: 'The method for the training tasks.' },
  samples: listOf(
    { type: 'integer', minimum: 1, maximum: 1000 },
    'Number of times a round plays each training task.',
  ),
  temperature: listOf(temperature, 'Of exploration.'),
  evaluation_method: { description: 'The method for the test and dev tasks.' },
  evaluation_temperature: temperature,
  prompts: {
    description: 'Texts in place of the prompts of `method`, by their ids; each method lists its own.',
  },
  evaluation_prompts: {
    description:
      'The same for `evaluation_method`; absent: those in `prompts`, if both methods are the same.',
  },
  min_reward: listOf(unit, 'The least reward to learn from; absent: only attempts that solved their task.'),
  alpha: listOf(unit, 'The reward that a good path must reach to be the end of a revision.'),
  beta: listOf(unit, 'By how much a good path must exceed the bad one that it revises.'),
  margin: listOf(unit, 'By how much the two sides of a pair must differ.'),
  kind_parameters: {
    description: 'Further parameters of the dataset kind; each kind lists its own.',
  },
  expert_rows: listOf(
    { type: 'boolean' },
    'True to train on the rows of the experts too, beside those of the round.',
  ),
  expert_share: listOf(
    share,
    'Which part of the rows of an epoch the experts give; absent: all of their rows, once.',
  ),
  earlier_rounds: listOf(
    { type: 'string', enum: ['none', 'all'] },
    '`all`: also train on the datasets of earlier rounds, beside that of the round.',
  ),
  earlier_share: listOf(
    share,
    'Which part of the rows of an epoch earlier rounds give; absent: all of their rows, once.',
  ),
  general_share: listOf(
    share,
    'Which part of the rows of a dataset the conversations named in `general` make up.',
  ),
  learning_rate: listOf(positive),
  epochs: listOf(positive, 'Passes over the rows.'),
  dpo_beta: listOf(positive, 'Strength with which DPO keeps the model close to its start.'),
  hyperparameters: {
    description: 'Further hyperparameters of every round; each recipe lists its own.',
  },
  warm_start_hyperparameters: {
    description: 'Hyperparameters of the training on the rows of the experts, and of the control.',
  },
}

export const comparisonSchema: JsonObject = {
  properties: {
    control: {
      type: 'boolean',
      default: false,
      description:
        'True to add a control. It trains the start of round 1 for as many steps on the experts’ rows alone, and evaluates it on the same tasks.',
    },
    metric: {
      type: 'string',
      enum: ['success_rate', 'reward'],
      default: 'success_rate',
      description: 'The metric that decides between checkpoints and on the promotion of a model.',
    },
    patience: {
      anyOf: [{ type: 'integer', minimum: 1, maximum: 50 }, { type: 'null' }],
      default: 2,
      description: 'After so many rounds without a promotion the loop ends; null: all rounds are made.',
    },
    evaluation_epochs: {
      type: 'integer',
      minimum: 1,
      maximum: 1000,
      default: 1,
      description: 'Number of times the loop plays each test task.',
    },
    candidates: {
      type: 'integer',
      minimum: 1,
      maximum: 20,
      default: 1,
      description: 'Number of checkpoints of a training, the last ones, to play on the dev tasks.',
    },
    checkpoint_steps: {
      type: 'integer',
      exclusiveMinimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Steps between two checkpoints.',
    },
    max_errored: {
      type: 'number',
      minimum: 0,
      exclusiveMaximum: 1,
      default: 0.1,
      description: 'The largest share of errored episodes with which an evaluation is compared.',
    },
    max_errored_difference: {
      type: 'number',
      minimum: 0,
      exclusiveMaximum: 1,
      default: 0.05,
      description: 'By how much these shares of two evaluations may differ at most.',
    },
  },
}

export const askingSchema: JsonObject = {
  properties: {
    top_p: { type: 'number', exclusiveMinimum: 0, maximum: 1, default: 1 },
    max_tokens: {
      type: 'integer',
      minimum: 1,
      maximum: 1_000_000,
      description:
        'Maximum length of an answer in tokens, thoughts included. Default: 4,096; 512 for the simulated model. A run records the value used.',
    },
    max_prompt_tokens: {
      type: 'integer',
      minimum: 1,
      maximum: 10_000_000,
      description:
        'Longer prompts lose their oldest action and observation pairs first. Default: 32,000. For a model that the service serves, at most the part of its context beyond `max_tokens`. A run records the value used.',
    },
  },
}

export const loopPaceSchema: JsonObject = {
  properties: {
    seed: { type: 'integer', minimum: 0, maximum: 2_147_000_000, default: 0 },
    max_parallel: {
      type: 'integer',
      minimum: 1,
      maximum: 10_000,
      default: 64,
      description: 'Episodes in flight at most.',
    },
    max_retries: {
      type: 'integer',
      minimum: 0,
      maximum: 20,
      default: 1,
      description: 'Number of retries of an errored episode; each try of a bad model costs as much.',
    },
  },
}
