import { z } from 'zod'
import { readInputTokens } from './read-token-counts.ts'

/** vLLM's Classification API, of a model with one label; or a bare number, as ExACT's own server returns it. */
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
 * Reads the number in an answer of `/classify`; null if there is none, or more than one: the value among several
 * classes is unknown.
 */
export function readScore(body: unknown): { value: number; prompt_tokens: number | null } | null {
  const { data } = scoreSchema.safeParse(body)
  const counted = Array.isArray(body) ? body[0] : body
  return data === undefined ? null : { value: data, prompt_tokens: readInputTokens(counted) }
}
