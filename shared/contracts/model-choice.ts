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

export type ModelChoice = z.infer<typeof modelChoiceSchema>

/** What a model may be asked to be in an episode; each role defaults to the policy's model. */
export const roleSchema = z.enum(['value', 'debate', 'reflection', 'learner', 'verifier', 'embedding'])

export type Role = z.infer<typeof roleSchema>
