import type { JsonObject } from '../../../shared/core/contracts/json.ts'

// The JSON Schema of an endpoint, for the form. It is written out because the zod schema would bring a validator into
// the page. A test compares it with the contract.

const prices: JsonObject = {
  type: 'object',
  propertyNames: { type: 'string', minLength: 1 },
  additionalProperties: {
    type: 'object',
    properties: {
      input: { type: 'number', minimum: 0 },
      cached_input: { type: 'number', minimum: 0 },
      output: { type: 'number', minimum: 0 },
      request: { type: 'number', minimum: 0 },
    },
    required: ['input', 'output'],
    additionalProperties: false,
  },
}

const http: JsonObject = {
  api_key_env: { description: 'The environment variable that holds the key.', type: 'string', minLength: 1 },
  api_key_file: {
    description: 'A file that holds the key; mode 600; relative to the folder of endpoints.json.',
    type: 'string',
    minLength: 1,
  },
  api_key_secret: {
    description: 'A secret in AWS Secrets Manager; `name#field` names one field of a secret that is JSON.',
    type: 'string',
    pattern: '^[^#]+(#[^#]+)?$',
  },
  api_key_parameter: { description: 'A parameter of AWS Systems Manager.', type: 'string', minLength: 1 },
  requests_per_minute: {
    description: "The provider's quota, shared by all workers of the service. Retries count too.",
    type: 'number',
    exclusiveMinimum: 0,
  },
  tokens_per_minute: {
    description: "The provider's quota of input and output tokens, shared by all workers.",
    type: 'number',
    exclusiveMinimum: 0,
  },
  headers: {
    description: 'Sent with every call; never keys.',
    type: 'object',
    propertyNames: { type: 'string', minLength: 1 },
    additionalProperties: { type: 'string' },
  },
  seed: { default: true, description: 'True to send the seed of a sample.', type: 'boolean' },
  sampling: {
    description:
      "True to send temperature and top_p, or the name of one for models that refuse both together. Default: true, but false for OpenAI's o-series and gpt-5 family, which take only their own.",
    anyOf: [{ type: 'boolean' }, { type: 'string', enum: ['temperature', 'top_p'] }],
  },
  stop: {
    description: 'True to send stop texts. Answers end before them in any case. Default: as `sampling`.',
    type: 'boolean',
  },
  system: {
    description:
      'The role of a system text. `user`: it is put before the first turn of the user, for models without a system role. Default: `system`.',
    type: 'string',
    enum: ['system', 'developer', 'user'],
  },
  alternate: {
    description:
      'True to merge consecutive turns of one role, for models that require alternating roles. Default: no.',
    type: 'boolean',
  },
  max_choices: {
    description: 'The most choices per call; by default as many as the caller wants.',
    type: 'integer',
    minimum: 1,
    maximum: 128,
  },
  max_tokens_field: {
    description:
      "By default `max_completion_tokens` for OpenAI, Azure, and OpenAI's o-series and gpt-5 family anywhere; `max_tokens` for others.",
    type: 'string',
    enum: ['max_tokens', 'max_completion_tokens'],
  },
  pictures: {
    description: 'The form of pictures in prompts.',
    type: 'object',
    properties: {
      send: {
        default: 'data',
        description:
          '`data`: within the request, as base64. `address`: as a signed address for the endpoint to download, which a service on AWS has.',
        type: 'string',
        enum: ['data', 'address'],
      },
      detail: {
        description: 'Sent with each picture; by default the endpoint decides.',
        type: 'string',
        enum: ['low', 'high', 'auto'],
      },
    },
    additionalProperties: false,
  },
  timeout: {
    default: 600,
    description: 'Seconds for one call, to the end of its answer.',
    type: 'number',
    exclusiveMinimum: 0,
    maximum: 86400,
  },
  idle_timeout: {
    default: 60,
    description: 'Seconds that an answer which has begun may stand still.',
    type: 'number',
    exclusiveMinimum: 0,
    maximum: 86400,
  },
  max_answer_bytes: {
    default: 8000000,
    description: 'Maximum size of an answer, decompressed; a longer one is an error.',
    type: 'integer',
    minimum: 1024,
    maximum: 1000000000,
  },
  max_retries: { default: 6, type: 'integer', minimum: 0, maximum: 100 },
  max_concurrency: {
    default: 1024,
    description: 'Calls in flight at most.',
    type: 'integer',
    minimum: 1,
    maximum: 100000,
  },
  prices: {
    ...prices,
    description:
      'US dollars per million tokens; `cached_input`: for cached input tokens; `request`: dollars per call.',
  },
  call_log_url: {
    description:
      '`GET {call_log_url}/{client request id}` returns the usage of a call; 404 if it never arrived.',
    type: 'string',
    format: 'uri',
  },
}

export const endpointSchema: JsonObject = {
  anyOf: [
    {
      properties: {
        kind: { type: 'string', const: 'openai' },
        base_url: { type: 'string', format: 'uri' },
        base_urls: {
          description: 'Servers of one model, used as one pool.',
          minItems: 1,
          type: 'array',
          items: { type: 'string', format: 'uri' },
        },
        organization: { type: 'string', minLength: 1 },
        model: {
          description: 'The model to ask, whatever name a run uses. Default: the name in the run.',
          type: 'string',
          minLength: 1,
        },
        ...http,
      },
      required: ['kind'],
    },
    {
      properties: {
        kind: { type: 'string', const: 'azure' },
        base_url: { type: 'string', format: 'uri' },
        api_version: { type: 'string', minLength: 1 },
        deployment: { description: 'By default, the model that a run names.', type: 'string', minLength: 1 },
        token_provider: { type: 'string', const: 'azure-identity' },
        ...http,
      },
      required: ['kind', 'base_url', 'api_version'],
    },
    {
      properties: {
        kind: { type: 'string', const: 'simulated' },
        skill: {
          default: 0.7,
          description: 'Share of answers that are the right next action.',
          type: 'number',
          minimum: 0,
          maximum: 1,
        },
        latency: {
          default: 0,
          description: 'Milliseconds before an answer.',
          type: 'number',
          minimum: 0,
          maximum: 600000,
        },
        latency_spread: {
          default: 0,
          description: 'Up to so much more or less.',
          type: 'number',
          minimum: 0,
          maximum: 600000,
        },
        seed: { default: 0, type: 'integer', minimum: 0, maximum: 2147483647 },
        prices: prices,
      },
      required: ['kind'],
    },
  ],
}

export const mainEndpointFields: readonly string[] = [
  'kind',
  'base_url',
  'base_urls',
  'api_version',
  'deployment',
  'token_provider',
  'organization',
  'model',
  'api_key_env',
  'api_key_file',
  'prices',
  'skill',
]
