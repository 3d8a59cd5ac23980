import { z } from 'zod'
import type { ChatChoice } from './chat-model.ts'
import { tidyText } from './tidy-text.ts'

const contentSchema = z.union([
  z.string(),
  z
    .array(z.looseObject({ text: z.string().optional() }))
    .transform((parts) => parts.map(({ text }) => text ?? '').join('')),
])

const completionSchema = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({ content: contentSchema.nullish(), refusal: z.string().nullish() }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
  usage: z
    .object({
      prompt_tokens: z.number().nonnegative().nullish(),
      completion_tokens: z.number().nonnegative().nullish(),
      prompt_tokens_details: z
        .object({ cached_tokens: z.number().nonnegative().nullish() })
        .nullish()
        .catch(null),
      completion_tokens_details: z
        .object({ reasoning_tokens: z.number().nonnegative().nullish() })
        .nullish()
        .catch(null),
    })
    .nullish(),
})

export interface Completion {
  choices: ChatChoice[]
  /** null where the endpoint does not count. */
  prompt_tokens: number | null
  completion_tokens: number | null
  /** Of the prompt's tokens, those that were cached; 0 where the endpoint does not say. Never more than there are. */
  cached_tokens: number
  /** Of the completion's tokens, those spent on reasoning, likewise. */
  reasoning_tokens: number
}

/**
 * Reads the body of an answer in OpenAI's format; null when it is something else. A choice without text is a choice: its
 * text is that of the refusal, or empty.
 */
export function readCompletion(body: unknown): Completion | null {
  const parsed = completionSchema.safeParse(body)
  if (!parsed.success) return null
  const { choices, usage } = parsed.data
  return {
    choices: choices.map(({ message, finish_reason }) => {
      const { text, cut } = tidyText(message.content || message.refusal || '')
      return {
        content: text,
        finish_reason: cut ? 'length' : (finish_reason ?? 'stop'),
        ...(!message.content && message.refusal && { refused: true as const }),
      }
    }),
    prompt_tokens: usage?.prompt_tokens ?? null,
    completion_tokens: usage?.completion_tokens ?? null,
    cached_tokens: Math.min(usage?.prompt_tokens_details?.cached_tokens ?? 0, usage?.prompt_tokens ?? 0),
    reasoning_tokens: Math.min(
      usage?.completion_tokens_details?.reasoning_tokens ?? 0,
      usage?.completion_tokens ?? 0,
    ),
  }
}
