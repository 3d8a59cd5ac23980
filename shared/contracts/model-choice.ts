import { z } from 'zod'

/** Which model answers, by the name of a configured endpoint; a run never carries a key. */
export const modelChoiceSchema = z
  .strictObject({
    endpoint: z.string().min(1).describe('The name of a configured endpoint; GET /v1/models lists them.'),
    id: z.string().min(1).describe('The model, as its endpoint calls it.'),
    temperature: z.number().min(0).max(2).default(1),
    top_p: z.number().gt(0).max(1).default(1),
    max_tokens: z
      .int()
      .min(1)
      .max(1_000_000)
      .default(512)
      .describe('The longest answer asked for, in tokens.'),
    max_prompt_tokens: z
      .int()
      .min(256)
      .max(10_000_000)
      .default(32_000)
      .describe('Longer prompts lose their oldest action and observation pairs first.'),
  })
  .meta({ id: 'ModelChoice' })

/** The model of a role: what it does not say is as `model` says. */
export const roleChoiceSchema = z
  .strictObject({
    endpoint: modelChoiceSchema.shape.endpoint.optional(),
    id: modelChoiceSchema.shape.id.optional(),
    temperature: modelChoiceSchema.shape.temperature.unwrap().optional(),
    top_p: modelChoiceSchema.shape.top_p.unwrap().optional(),
    max_tokens: modelChoiceSchema.shape.max_tokens.unwrap().optional(),
    max_prompt_tokens: modelChoiceSchema.shape.max_prompt_tokens.unwrap().optional(),
  })
  .meta({ id: 'RoleChoice' })

export type RoleChoice = z.infer<typeof roleChoiceSchema>
export type ModelChoice = z.infer<typeof modelChoiceSchema>

/** What a model may be asked to be in an episode; each role defaults to the policy's model. */
export const roleSchema = z.enum(['value', 'debate', 'reflection', 'learner', 'verifier', 'embedding'])

export type Role = z.infer<typeof roleSchema>
