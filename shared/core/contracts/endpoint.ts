import { z } from 'zod'
import { endpointInfoSchema } from './catalogue.ts'
import { anyEndpointSchema, endpointNameSchema, endpointSchema } from './endpoint-configuration.ts'
import { endpointWarningSchema } from './endpoint-warning.ts'

/** Headers that carry keys: a header of an endpoint is stored and shown, and a key must be neither. */
const keyHeaders = /^(authorization|proxy-authorization|cookie|.*(api[-_]?key|token|secret|password).*)$/i

const sentEndpointSchema = endpointSchema.check(({ value, issues }) => {
  if (value.kind === 'simulated') return
  for (const name of Object.keys(value.headers ?? {})) {
    if (!keyHeaders.test(name)) continue
    issues.push({
      code: 'custom',
      input: value,
      path: ['headers', name],
      message:
        'Keys are never sent in a body: name where the key is, as api_key_env, api_key_file or api_key_secret.',
    })
  }
  for (const [field, address] of addressesOf(value)) {
    const { username, password } = new URL(address)
    if (username === '' && password === '') continue
    issues.push({
      code: 'custom',
      input: value,
      path: [field],
      message: 'An address holds no user name and no password.',
    })
  }
})

export function addressesOf(endpoint: z.infer<typeof anyEndpointSchema>): [field: string, address: string][] {
  if (endpoint.kind === 'simulated') return []
  const log: [string, string][] =
    endpoint.call_log_url === undefined ? [] : [['call_log_url', endpoint.call_log_url]]
  if (endpoint.kind === 'served') return log
  const base: [string, string][] = endpoint.base_url === undefined ? [] : [['base_url', endpoint.base_url]]
  const several = endpoint.kind === 'azure' ? [] : (endpoint.base_urls ?? [])
  return [...base, ...several.map((url): [string, string] => ['base_urls', url]), ...log]
}

export const endpointChangeSchema = z
  .strictObject({
    endpoint: sentEndpointSchema.describe('The configuration, in the form of an entry of `endpoints.json`.'),
  })
  .meta({ id: 'EndpointChange' })

export const endpointAdditionSchema = z
  .strictObject({
    name: endpointNameSchema.describe('The name by which runs refer to the endpoint.'),
    endpoint: sentEndpointSchema.describe('The configuration, in the form of an entry of `endpoints.json`.'),
  })
  .meta({ id: 'EndpointAddition' })

export type EndpointAddition = z.input<typeof endpointAdditionSchema>
export type EndpointChange = z.input<typeof endpointChangeSchema>

/**
 * An endpoint with its configuration, as `GET /v1/endpoints` shows it. It names the source of a key, and never holds
 * one.
 */
export const endpointDetailSchema = endpointInfoSchema
  .extend({
    configuration: anyEndpointSchema,
    created_at: z.iso
      .datetime()
      .nullable()
      .describe('Null for built-in endpoints and those of endpoints.json.'),
    updated_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'EndpointDetail' })

export type EndpointDetail = z.infer<typeof endpointDetailSchema>

export const endpointTestRequestSchema = z
  .strictObject({
    model: z
      .string()
      .min(1)
      .optional()
      .describe('The model to ask. Default: the model that it serves, or the first with a price.'),
    features: z
      .boolean()
      .optional()
      .describe(
        'Also ask for two choices at once, show a picture, and send a prompt of about 6,000 tokens: three more questions. Default: no.',
      ),
  })
  .meta({ id: 'EndpointTestRequest' })

export type EndpointTestRequest = z.infer<typeof endpointTestRequestSchema>

export const endpointFeatureSchema = z
  .object({
    id: z
      .enum(['choices', 'pictures', 'window', 'tokens'])
      .describe(
        '`choices`: several answers for one request (`n`). `pictures`: `image_url` parts. `window`: a prompt of about 6,000 tokens is read in full. `tokens`: token ids and log-probabilities, which runs may record.',
      ),
    works: z
      .boolean()
      .nullable()
      .describe(
        'Null: the endpoint accepted it but did not show that it understood it; or it was not tried.',
      ),
    note: z.string().describe('The observed behaviour.'),
  })
  .meta({ id: 'EndpointFeature' })

export type EndpointFeature = z.infer<typeof endpointFeatureSchema>

export const endpointTestSchema = z
  .object({
    object: z.literal('endpoint_test'),
    endpoint: z.string(),
    model: z.string(),
    ok: z.boolean().describe('True if the endpoint answered.'),
    latency: z.number().min(0).describe('Milliseconds until the answer, including the start of a server.'),
    answer: z.string().nullable(),
    finish_reason: z.string().nullable(),
    usage: z
      .object({
        input_tokens: z.number(),
        output_tokens: z.number(),
        reasoning_tokens: z
          .number()
          .exactOptional()
          .describe('Reasoning tokens, which are part of the output tokens.'),
        cost: z.number().nullable(),
      })
      .nullable()
      .describe('Usage of all questions of the test; no run includes it.'),
    features: z
      .array(endpointFeatureSchema)
      .nullable()
      .describe('Null if the request did not ask for them, or if the endpoint did not answer at all.'),
    warnings: z
      .array(endpointWarningSchema)
      .exactOptional()
      .describe('Signs of a wrong configuration; absent if there are none.'),
    error: z.string().nullable().describe("The failure, in the provider's words if there are any."),
  })
  .meta({ id: 'EndpointTest' })

export type EndpointTest = z.infer<typeof endpointTestSchema>

export const removedEndpointSchema = z
  .object({ id: z.string(), object: z.literal('endpoint'), deleted: z.literal(true) })
  .meta({ id: 'RemovedEndpoint' })
