import type { JsonObject } from '../../../shared/contracts/json.ts'

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
    'Longer prompts lose their oldest action and observation pairs first. Default: 32,000; of a model that the service serves, at most what its context leaves beside `max_tokens`. A run records what it was.',
}
const tokenizer = {
  type: 'string',
  minLength: 1,
  maxLength: 200,
  description:
    'The registered model by whose tokenizer and chat template prompts are counted, or `estimate`: three bytes are taken for a token. Default: the model itself where the service serves it, else `estimate`. A run records it.',
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
        'The longest answer asked for, in tokens, thoughts included. Default: 4,096; 512 of the simulated model. A run records what it was.',
    },
    max_prompt_tokens: maxPromptTokens,
    tokenizer,
    max_pictures: {
      ...maxPictures,
      description:
        'How many of its newest pictures a prompt shows; 0: texts alone. Default: 4, as in VisualWebArena and OSWorld.',
    },
    reasoning_effort: {
      ...reasoningEffort,
      description:
        'How long a model that reasons may think, in its endpoint’s word: OpenAI knows none, minimal, low, medium, high and xhigh. Sent where it is given.',
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
      description: 'How often each task is played.',
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
      description: 'How often an episode that ended with an error is tried again.',
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
        'Where the environment runs: inside the worker, or on hosts. `auto`: inside the worker where it can.',
    },
    workers: {
      type: 'string',
      enum: ['auto', 'lambda', 'fargate'],
      description:
        'What plays the episodes in a deployment: Lambda’s invocations, or long-lived workers on Fargate, which cost less where a model takes long to answer. `auto`: Lambda, until its model’s answers take 5 s or more on average. By default what the deployment is set to; a service on one machine plays the same whatever it says.',
    },
    data: {
      type: 'string',
      minLength: 1,
      maxLength: 128,
      description:
        'The data pack that the tasks are from, by digest or name; `builtin`: what comes along. By default the pack that was added last.',
    },
  },
}

export const generationSchema: JsonObject = {
  properties: {
    count: { type: 'integer', minimum: 1, maximum: 100_000, description: 'How many tasks, all different.' },
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
