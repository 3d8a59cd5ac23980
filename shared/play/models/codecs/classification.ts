import { z } from 'zod'
import { clipText } from '../../../core/contracts/well-formed.ts'
import type { Codec } from '../codec.ts'
import { flattenMessages } from '../flatten-messages.ts'
import { readInputTokens } from '../read-token-counts.ts'
import type { ScoreRequest } from '../value-model.ts'

/** vLLM's Classification API, of a model with one label; or a bare number, as ExACT's own server returns it. */
const classifiedSchema = z
  .object({
    data: z.union([z.number(), z.tuple([z.object({ probs: z.tuple([z.number()]) })])]),
  })
  .transform(({ data }) => (typeof data === 'number' ? data : data[0].probs[0]))

const rewardSchema = z.object({ embedding: z.tuple([z.number()]) }).transform(({ embedding }) => embedding[0])

const scoreSchema = z.union([
  classifiedSchema,
  rewardSchema,
  z.tuple([rewardSchema]).transform(([only]) => only),
])

export interface Classification {
  value: number
  input_tokens: number | null
}

/**
 * A trained value model behind `POST {base_url without /v1}/classify`, as vLLM (`--runner pooling`) and SGLang
 * (`--is-embedding`) serve it. Sends the conversation as one text ({@link flattenMessages}), under the names that
 * both servers know: `input` and `text`. A value among several classes is unknown, and so a fault.
 *
 * Source: ExACT's `ft_value_func`; vLLM, Classification API; SGLang, native API, "Classify (reward model)".
 */
export const classificationCodec: Codec<ScoreRequest, Classification> = {
  encode({ model, messages }) {
    const text = flattenMessages(messages)
    return { path: '/classify', isBesideV1: true, model, body: { model, input: text, text } }
  },
  decode(body) {
    const { data } = scoreSchema.safeParse(body)
    if (data === undefined) return { wrong: `the answer holds no single number: ${quote(body)}` }
    return { value: data, input_tokens: readInputTokens(Array.isArray(body) ? body[0] : body) }
  },
  advise: ({ status }) =>
    status === 200 ? 'A value model has one output (one label); check the model and base_url.' : null,
}

function quote(body: unknown): string {
  const text = JSON.stringify(body) ?? String(body)
  return text.length <= 200 ? text : `${clipText(text, 200)}…`
}
