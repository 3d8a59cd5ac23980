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
      .describe('As https://api.openai.com/v1.'),
    ...keyPlaces,
    organization: z.string().min(1).optional(),
    headers: endpointCallsSchema.shape.headers,
    price: z
      .number()
      .min(0)
      .describe('US dollars for a million tokens that are trained on; 0 where training costs nothing.'),
    learning_rate: z
      .number()
      .positive()
      .optional()
      .describe(
        'The learning rate that a multiplier of 1 stands for: trainings may then say `learning_rate`.',
      ),
    suffix: z.string().min(1).max(40).optional().describe('Becomes a part of the names of its models.'),
    recipes: z.array(recipeSchema).min(1).default(['sft', 'dpo']).describe('What it can do.'),
    at_once: z.int().min(1).max(64).default(4).describe('Trainings side by side.'),
    look_every: z
      .number()
      .min(0.05)
      .max(3600)
      .default(10)
      .describe('Seconds between two looks at a training.'),
    endpoint: endpointCallsSchema
      .omit({ headers: true })
      .partial()
      .prefault({})
      .describe('How its models are asked: prices, rates and the like, as of an endpoint.'),
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
