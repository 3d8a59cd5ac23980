import { z } from 'zod'
import {
  checkOneKey,
  endpointCallsSchema,
  keyPlaces,
  type OpenAiEndpoint,
  openAiEndpointSchema,
} from '../../../core/contracts/endpoint-configuration.ts'

const recipeSchema = z.enum(['sft', 'dpo'])

export const openAiTrainerSchema = z
  .strictObject({
    kind: z.literal('openai'),
    description: z.string().min(1).optional(),
    base_url: z
      .url({ protocol: /^https?$/, error: 'must be an http or https address' })
      .describe('Base URL of the API, such as https://api.openai.com/v1.'),
    ...keyPlaces,
    organization: z.string().min(1).optional(),
    headers: endpointCallsSchema.shape.headers,
    price: z.number().min(0).describe('US dollars per million training tokens; 0 if training is free.'),
    learning_rate: z
      .number()
      .positive()
      .optional()
      .describe('The learning rate that a multiplier of 1 means; trainings may then set `learning_rate`.'),
    suffix: z
      .string()
      .min(1)
      .max(40)
      .optional()
      .describe('Suffix that becomes part of the names of its models.'),
    recipes: z
      .array(recipeSchema)
      .min(1)
      .default(['sft', 'dpo'])
      .describe('Training recipes that it supports.'),
    at_once: z.int().min(1).max(64).default(4).describe('Maximum number of parallel trainings.'),
    look_every: z
      .number()
      .min(0.05)
      .max(3600)
      .default(10)
      .describe('Seconds between two status checks of a training.'),
    endpoint: endpointCallsSchema
      .omit({ headers: true })
      .partial()
      .prefault({})
      .describe('Settings for calls to its models, such as prices and rates, as for an endpoint.'),
  })
  .check(checkOneKey)

export type OpenAiTrainerConfiguration = z.infer<typeof openAiTrainerSchema>

export function endpointOfTrainer(
  configuration: OpenAiTrainerConfiguration,
  model: string | null,
): OpenAiEndpoint {
  const { api_key_env, api_key_file, api_key_parameter, api_key_secret, base_url, endpoint } = configuration
  const { headers, organization } = configuration
  return openAiEndpointSchema.parse({
    ...endpoint,
    kind: 'openai',
    base_url,
    api_key_env,
    api_key_file,
    api_key_parameter,
    api_key_secret,
    headers,
    organization,
    ...(model !== null && { model }),
  })
}
