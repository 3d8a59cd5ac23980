import { z } from 'zod'
import { requestOptionsSchema } from './request-options.ts'

export const keyFields = ['api_key_env', 'api_key_file', 'api_key_secret', 'api_key_parameter'] as const

export type KeyField = (typeof keyFields)[number]

/**
 * US dollars per million tokens, and per call if an endpoint charges for calls themselves. `cached_input` is the
 * price of input from the endpoint's cache, and `cache_write` that of input written to it. Both have
 * defaults by provider.
 */
export const priceSchema = z
  .strictObject({
    input: z.number().nonnegative(),
    cached_input: z.number().nonnegative().optional(),
    cache_write: z.number().nonnegative().optional(),
    output: z.number().nonnegative(),
    request: z.number().nonnegative().optional(),
  })
  // A call reserves its possible cost before it is sent, as if nothing were cached.
  .refine(({ input, cached_input = 0 }) => cached_input <= input, {
    message: 'must not be above the price of input',
    path: ['cached_input'],
  })

export type Price = z.infer<typeof priceSchema>

/** Prices by model. `*` stands for every model that is not named. */
export const pricesSchema = z.record(z.string().min(1), priceSchema)

export type Prices = z.infer<typeof pricesSchema>

const addressSchema = z.url({ protocol: /^https?$/, error: 'must be an http or https address' })

export const keyPlaces = {
  api_key_env: z.string().min(1).optional().describe('The environment variable that holds the key.'),
  api_key_file: z
    .string()
    .min(1)
    .optional()
    .describe('A file that holds the key; mode 600; relative to the folder of endpoints.json.'),
  api_key_secret: z
    .string()
    .regex(/^[^#]+(#[^#]+)?$/, 'must be a name, or a name and a field as name#field')
    .optional()
    .describe('A secret in AWS Secrets Manager; `name#field` names one field of a secret that is JSON.'),
  api_key_parameter: z.string().min(1).optional().describe('A parameter of AWS Systems Manager.'),
}

export const samplingFieldSchema = z.enum(['temperature', 'top_p'])

export const endpointCallsSchema = z.strictObject({
  requests_per_minute: z
    .number()
    .positive()
    .optional()
    .describe("The provider's quota, shared by all workers of the service. Retries count too."),
  tokens_per_minute: z
    .number()
    .positive()
    .optional()
    .describe("The provider's quota of input and output tokens, shared by all workers."),
  headers: z
    .record(z.string().min(1), z.string())
    .optional()
    .describe('HTTP headers to send with every call; never keys.'),
  seed: z.boolean().default(true).describe('True to send the seed of a sample.'),
  sampling: z
    .union([z.boolean(), samplingFieldSchema, z.array(samplingFieldSchema).max(2)])
    .optional()
    .describe(
      'The fields to send of temperature and top_p: a list, such as [] or ["temperature"]; the name of one; true for both, or false for none. Default: both, but none for OpenAI\'s o-series and gpt-5 family, which accept only their own values.',
    ),
  request: requestOptionsSchema
    .optional()
    .describe(
      'Further fields of each request, such as top_k, min_p, chat_template_kwargs or provider: added to the body beside the fields that the service writes.',
    ),
  stream: z
    .boolean()
    .optional()
    .describe(
      'True for endpoints that answer only as a stream, which is read to its end. The limits still apply. Default: no.',
    ),
  stop: z
    .boolean()
    .optional()
    .describe('True to send stop texts. Answers end before them in any case. Default: as `sampling`.'),
  system: z
    .enum(['system', 'developer', 'user'])
    .optional()
    .describe(
      'The role of a system text. `user`: the text precedes the first turn of the user, for models without a system role. Default: `system`.',
    ),
  alternate: z
    .boolean()
    .optional()
    .describe(
      'True to merge consecutive turns of one role, for models that require alternating roles. Default: no.',
    ),
  tool_choice: z
    .enum(['auto', 'required'])
    .optional()
    .describe(
      'Sent with the tools of a run whose agent calls tools: `required` for servers that honour it. Default: not sent, which means `auto`.',
    ),
  parallel_tool_calls: z
    .boolean()
    .optional()
    .describe('Sent with the tools, for servers that support it. Default: not sent.'),
  tokens: z
    .enum(['vllm', 'sglang', 'llama-cpp', 'logprobs', 'none'])
    .optional()
    .describe(
      'The server’s protocol for token ids and log-probabilities, for runs that record tokens. `logprobs`: OpenAI’s field, which has no ids. `none`: such runs are refused. Default: `logprobs`, or `llama-cpp` for a model that the service serves with llama.cpp.',
    ),
  trainable: z
    .boolean()
    .optional()
    .describe('True if its model is being trained: runs then record tokens unless they state `record`.'),
  max_choices: z
    .int()
    .min(1)
    .max(128)
    .optional()
    .describe('Maximum number of choices per call. Default: as many as the caller requests.'),
  max_tokens_field: z
    .enum(['max_tokens', 'max_completion_tokens'])
    .optional()
    .describe(
      "The field that limits the answer. Default: `max_completion_tokens` for OpenAI, Azure, and OpenAI's o-series and gpt-5 family anywhere; `max_tokens` for others.",
    ),
  pictures: z
    .strictObject({
      send: z
        .enum(['data', 'address'])
        .default('data')
        .describe(
          '`data`: within the request, as base64. `address`: as a signed address for the endpoint to download (on AWS).',
        ),
      detail: z
        .enum(['low', 'high', 'auto'])
        .optional()
        .describe('The level of detail, sent with each picture. Default: the endpoint decides.'),
    })
    .optional()
    .describe('The form of pictures in prompts.'),
  timeout: z
    .number()
    .positive()
    .max(86_400)
    .default(600)
    .describe('Maximum seconds for one call, to the end of its answer.'),
  idle_timeout: z
    .number()
    .positive()
    .max(86_400)
    .default(60)
    .describe('Maximum seconds without new data after an answer has begun.'),
  max_answer_bytes: z
    .int()
    .min(1024)
    .max(1_000_000_000)
    .default(8_000_000)
    .describe('Maximum size of an answer, decompressed; a longer one is an error.'),
  max_retries: z.int().min(0).max(100).default(6),
  max_concurrency: z.int().min(1).max(100_000).default(1024).describe('Maximum number of calls in flight.'),
  prices: pricesSchema
    .optional()
    .describe(
      'US dollars per million tokens; `cached_input`: for input tokens from the cache; `cache_write`: for those written to it; `request`: dollars per call.',
    ),
  call_log_url: addressSchema
    .optional()
    .describe(
      '`GET {call_log_url}/{client request id}` returns the usage of a call; 404 if it never arrived.',
    ),
})

const httpSchema = z.strictObject({ ...keyPlaces, ...endpointCallsSchema.shape })

type KeyNames = Partial<Record<KeyField, string | undefined>>

function namedKeys(endpoint: KeyNames): KeyField[] {
  return keyFields.filter((field) => endpoint[field] !== undefined)
}

export function checkOneKey({ value, issues }: z.core.ParsePayload<KeyNames>): void {
  const [, second] = namedKeys(value)
  if (second === undefined) return
  issues.push({
    code: 'custom',
    input: value,
    path: [second],
    message: `Give only one of ${keyFields.join(', ')}.`,
  })
}

const poolFields = {
  base_url: addressSchema.optional(),
  base_urls: z
    .array(addressSchema)
    .min(1)
    .optional()
    .describe('Addresses of servers with the same model, used as one pool.'),
  model: z
    .string()
    .min(1)
    .optional()
    .describe('The model to ask, whatever name a run uses. Default: the name in the run.'),
}

const eitherAddress = { message: 'Give base_url, or several as base_urls.', path: ['base_url'] }

export const openAiEndpointSchema = httpSchema
  .extend({
    kind: z.literal('openai'),
    ...poolFields,
    organization: z.string().min(1).optional(),
  })
  .check(checkOneKey)
  .refine(({ base_url, base_urls }) => (base_url === undefined) !== (base_urls === undefined), eitherAddress)

export const responsesEndpointSchema = httpSchema
  .extend({ kind: z.literal('openai-responses'), ...poolFields, organization: z.string().min(1).optional() })
  .check(checkOneKey)
  .refine(({ base_url, base_urls }) => base_url === undefined || base_urls === undefined, eitherAddress)

export const anthropicEndpointSchema = httpSchema
  .extend({
    kind: z.literal('anthropic'),
    ...poolFields,
    cache: z
      .enum(['off', '5m', '1h'])
      .optional()
      .describe('Marks prompts for the prefix cache, and sets how long it keeps them. Default: `5m`.'),
  })
  .check(checkOneKey)
  .refine(({ base_url, base_urls }) => base_url === undefined || base_urls === undefined, eitherAddress)

export const azureEndpointSchema = httpSchema
  .extend({
    kind: z.literal('azure'),
    base_url: addressSchema,
    api_version: z.string().min(1),
    deployment: z
      .string()
      .min(1)
      .optional()
      .describe('The deployment to ask. Default: the model that a run names.'),
    token_provider: z.literal('azure-identity').optional(),
    token_scope: z
      .url()
      .optional()
      .describe(
        'The scope for which `token_provider` requests tokens. Default: https://cognitiveservices.azure.com/.default.',
      ),
  })
  .check(checkOneKey)
  .refine((endpoint) => namedKeys(endpoint).length === 0 || endpoint.token_provider === undefined, {
    message: 'Give a key or token_provider, not both.',
    path: ['token_provider'],
  })
  .refine((endpoint) => namedKeys(endpoint).length > 0 || endpoint.token_provider !== undefined, {
    message: `Give one of ${keyFields.join(', ')}, or token_provider.`,
    path: ['token_provider'],
  })

/**
 * A model in process that needs no network. It answers under any model's name, and is free without configured prices.
 */
export const simulatedEndpointSchema = z.strictObject({
  kind: z.literal('simulated'),
  skill: z.number().min(0).max(1).default(0.7).describe('Share of answers that are the right next action.'),
  latency: z.number().min(0).max(600_000).default(0).describe('Milliseconds before an answer.'),
  latency_spread: z
    .number()
    .min(0)
    .max(600_000)
    .default(0)
    .describe('Milliseconds by which the latency may vary, up or down.'),
  seed: z.int().min(0).max(2_147_483_647).default(0),
  prices: pricesSchema.optional(),
})

/**
 * A registered model that the service itself serves. Serving the model creates it, and users never write it: the
 * first call starts its server, and its address is known only then.
 */
export const servedEndpointSchema = httpSchema.extend({
  kind: z.literal('served'),
  model: z.string().min(1).describe('The registered model.'),
  context: z
    .int()
    .min(1)
    .nullable()
    .describe('Maximum tokens of prompt and answer of one call; null: unknown.'),
})

export const endpointSchema = z.discriminatedUnion('kind', [
  openAiEndpointSchema,
  responsesEndpointSchema,
  anthropicEndpointSchema,
  azureEndpointSchema,
  simulatedEndpointSchema,
])

export const anyEndpointSchema = z.discriminatedUnion('kind', [
  openAiEndpointSchema,
  responsesEndpointSchema,
  anthropicEndpointSchema,
  azureEndpointSchema,
  simulatedEndpointSchema,
  servedEndpointSchema,
])

export type OpenAiEndpoint = z.infer<typeof openAiEndpointSchema>
export type AzureEndpoint = z.infer<typeof azureEndpointSchema>
export type ResponsesEndpoint = z.infer<typeof responsesEndpointSchema>
export type AnthropicEndpoint = z.infer<typeof anthropicEndpointSchema>
export type HttpEndpoint = OpenAiEndpoint | ResponsesEndpoint | AnthropicEndpoint | AzureEndpoint
export type SimulatedEndpoint = z.infer<typeof simulatedEndpointSchema>
export type ServedEndpoint = z.infer<typeof servedEndpointSchema>
export type EndpointConfiguration = z.infer<typeof anyEndpointSchema>

export const endpointNameSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/i, 'names are letters, digits, dots, dashes and underscores')

export const endpointsFileSchema = z.strictObject({
  endpoints: z.record(endpointNameSchema, endpointSchema),
})
