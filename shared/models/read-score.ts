import { z } from 'zod'

const countSchema = z.object({ prompt_tokens: z.number().nonnegative() }).nullish()

/** vLLM's Classification API, of a model with one label; or a bare number, as ExACT's own server gives it. */
const classifiedSchema = z
  .object({
    data: z.union([z.number(), z.tuple([z.object({ probs: z.tuple([z.number()]) })])]),
    usage: countSchema,
  })
  .transform(({ data, usage }) => ({ value: typeof data === 'number' ? data : data[0].probs[0], usage }))

/** SGLang's native `/classify` of a reward model. */
const rewardSchema = z
  .object({ embedding: z.tuple([z.number()]), meta_info: countSchema })
  .transform(({ embedding, meta_info }) => ({ value: embedding[0], usage: meta_info }))

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
  return data === undefined ? null : { value: data.value, prompt_tokens: data.usage?.prompt_tokens ?? null }
}
