import type { JsonObject } from '../../../shared/core/contracts/json.ts'

// Excerpts of the JSON Schema of `POST /v1/runs`, for the form. They are written out because the zod schema would
// bring a validator into the page. A test compares them with the contract.

const temperature = { type: 'number', minimum: 0, maximum: 2 }
const topP = { type: 'number', exclusiveMinimum: 0, maximum: 1 }
const maxTokens = { type: 'integer', minimum: 1, maximum: 1_000_000 }
const maxPromptTokens = {
  type: 'integer',
  minimum: 1,
  maximum: 10_000_000,
  description:
    'Longer prompts lose their oldest action and observation pairs first. Default: 32,000. For a model that the service serves, at most the part of its context beyond `max_tokens`. A run records the value used.',
}
const tokenizer = {
  type: 'string',
  minLength: 1,
  maxLength: 200,
  description:
    'The registered model whose tokenizer and chat template count prompts, or `estimate`: three bytes for a token. Default: the model itself if the service serves it, else `estimate`. A run records it.',
}
const maxPictures = { type: 'integer', minimum: 0, maximum: 64 }
const reasoningEffort = { type: 'string', pattern: '^[a-z]{1,20}$' }
const stop = {
  type: 'array',
  minItems: 1,
  maxItems: 4,
  items: { type: 'string', minLength: 1, maxLength: 200 },
  description:
    'Answers end before the first of these texts. Of `model` they hold for the policy alone; a role has its own.',
}
const count = { type: 'integer', exclusiveMinimum: 0, maximum: Number.MAX_SAFE_INTEGER }

export const modelSettingsSchema: JsonObject = {
  properties: {
    temperature: { ...temperature, default: 1 },
    top_p: { ...topP, default: 1 },
    max_tokens: {
      ...maxTokens,
      description:
        'Maximum length of an answer in tokens, thoughts included. Default: 4,096; 512 for the simulated model. A run records the value used.',
    },
    max_prompt_tokens: maxPromptTokens,
    tokenizer,
    max_pictures: {
      ...maxPictures,
      description:
        'Number of its newest pictures that a prompt shows; 0: texts alone. Default: 4, as in VisualWebArena and OSWorld.',
    },
    reasoning_effort: {
      ...reasoningEffort,
      description:
        'Amount of thinking for a model that reasons, in its endpoint’s word: OpenAI knows none, minimal, low, medium, high and xhigh. If absent, calls do not send it.',
    },
    stop,
  },
}

export const roleSettingsSchema: JsonObject = {
  properties: {
    temperature,
    top_p: topP,
    max_tokens: maxTokens,
    max_prompt_tokens: maxPromptTokens,
    tokenizer,
    max_pictures: maxPictures,
    reasoning_effort: reasoningEffort,
    stop,
  },
}

export const settingsSchema: JsonObject = {
  properties: {
    epochs: {
      type: 'integer',
      minimum: 1,
      maximum: 10_000,
      default: 1,
      description: 'Number of times the run plays each task.',
    },
    seed: { type: 'integer', minimum: 0, maximum: 2_147_483_647, default: 0 },
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
      default: 2,
      description: 'Number of retries of an episode that ended with an error.',
    },
  },
}

export const placeSchema: JsonObject = {
  properties: {
    hosting: {
      type: 'string',
      enum: ['auto', 'worker', 'host'],
      default: 'auto',
      description:
        'Place for the environment: inside the worker, or on hosts. `auto`: inside the worker if it can run there.',
    },
    workers: {
      type: 'string',
      enum: ['auto', 'lambda', 'fargate'],
      description:
        'Workers of a deployment: Lambda’s invocations, or long-lived workers on Fargate, which cost less if a model is slow to answer. `auto`: Lambda, until its model’s answers take 5 s or more on average. Default: the deployment’s setting. A service on one machine ignores this.',
    },
    data: {
      type: 'string',
      minLength: 1,
      maxLength: 128,
      description:
        'The data pack of the tasks, by digest or name; `builtin`: the built-in data. Default: the newest pack.',
    },
  },
}

export const generationSchema: JsonObject = {
  properties: {
    count: { type: 'integer', minimum: 1, maximum: 100_000, description: 'Number of tasks, all different.' },
    seed: {
      type: 'integer',
      minimum: 0,
      maximum: 2_147_483_647,
      default: 0,
      description: 'Which of them, and in which order: a smaller count gives the first ones of a larger.',
    },
    split: {
      type: 'string',
      enum: ['train', 'dev', 'test'],
      default: 'train',
      description:
        'A task’s content decides its split: no task is in two splits, whatever seeds and bounds are asked for.',
    },
  },
}

export const taskCountSchema: JsonObject = {
  properties: { limit: { ...count, description: 'At most this many, the first ones.' } },
}
