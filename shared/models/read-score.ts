import { z } from 'zod'
import { readInputTokens } from './read-token-counts.ts'

/** vLLM's Classification API, of a model with one label; or a bare number, as ExACT's own server gives it. */
const classifiedSchema = z
  .object({
    data: z.union([z.number(), z.tuple([z.object({ probs: z.tuple([z.number()]) })])]),
  })
  .transform(({ data }) => (typeof data === 'number' ? data : data[0].probs[0]))

/** SGLang's native `/classify` of a reward model. */
const rewardSchema = z.object({ embedding: z.tuple([z.number()]) }).transform(({ embedding }) => embedding[0])

const scoreSchema = z.union([
  classifiedSchema,
  rewardSchema,
  z.tuple([rewardSchema]).transform(([only]) => only),
])

/**
 * The number in the answer of a `/classify`; null where there is none, or more than one: which of several classes would
 * be the value is not for us to guess.
 */
export function readScore(body: unknown): { value: number; prompt_tokens: number | null } | null {
  const { data } = scoreSchema.safeParse(body)
  const counted = Array.isArray(body) ? body[0] : body
  return data === undefined ? null : { value: data, prompt_tokens: readInputTokens(counted) }
}
