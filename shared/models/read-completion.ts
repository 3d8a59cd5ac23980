import { z } from 'zod'
import { faultOfEnding } from '../contracts/answers.ts'
import { clipText } from '../contracts/well-formed.ts'
import type { ChatChoice, SilentChoices } from './chat-model.ts'
import { type CountedTokens, readTokenCounts } from './read-token-counts.ts'

/** Characters (UTF-16) of one answer that are kept. */
const longest = 100_000

/**
 * A model's text as it can be stored and shown anywhere: without NUL, with U+FFFD for every lone surrogate, and of at most
 * 100,000 characters.
 */
export function tidyText(text: string): { text: string; cut: boolean } {
  const whole = text.replaceAll('\0', '').toWellFormed()
  if (whole.length <= longest) return { text: whole, cut: false }
  return { text: clipText(whole, longest), cut: true }
}

const contentSchema = z.union([
  z.string(),
  z
    .array(z.looseObject({ text: z.string().nullish() }))
    .transform((parts) => parts.map(({ text }) => text ?? '').join('')),
])

const messageSchema = z.object({
  content: contentSchema.nullish(),
  refusal: z.string().nullish(),
  tool_calls: z.array(z.unknown()).nullish().catch(null),
  function_call: z.unknown().optional(),
  /** Where servers put what a model thought: vLLM and DeepSeek under the first name, OpenRouter under the second. */
  reasoning_content: z.string().nullish().catch(null),
  reasoning: z.string().nullish().catch(null),
})

const choiceSchema = z.object({ message: messageSchema, finish_reason: z.string().nullish() })

const choicesSchema = z.object({ choices: z.array(choiceSchema).min(1) })

export interface Completion {
  choices: ChatChoice[]
  silent: SilentChoices
  usage: CountedTokens
}

/**
 * Reads the body of an answer in OpenAI's format. A choice that was cut, filtered or refused, that calls tools, or whose
 * model thought and said nothing is a choice, its text that of the refusal or empty; one that holds nothing at all is none,
 * and left out.
 *
 * @returns what is wrong with a body that holds no answer
 */
export function readCompletion(body: unknown): Completion | { wrong: string; advice?: string } {
  const { data } = choicesSchema.safeParse(body)
  if (data === undefined) return { wrong: 'the answer is not a chat completion.' }
  const choices = data.choices.filter(holdsAnswer)
  if (choices.length === 0) return describeNothing(data.choices[0])
  const usage = readTokenCounts(body, data.choices.length)
  if (usage === null) {
    return { wrong: `the answer counts its tokens in figures that cannot be: ${quoteUsage(body)}` }
  }
  return {
    choices: choices.map(({ message, finish_reason }) => {
      const { text, cut } = tidyText(message.content || message.refusal || '')
      return {
        content: text,
        finish_reason: cut ? 'length' : (finish_reason ?? 'stop'),
        ...(!message.content && message.refusal && { refused: true as const }),
      }
    }),
    silent: countSilent(choices),
    usage,
  }
}

/** The ends that are an answer of the model although it has no text, beside those that say what is wrong with it. */
const endsWithoutText = new Set(['tool_calls', 'function_call'])

function holdsAnswer({ message, finish_reason }: z.infer<typeof choiceSchema>): boolean {
  // OpenRouter's word for a model that failed half way.
  if (finish_reason === 'error') return false
  const { content, refusal, tool_calls, function_call, reasoning_content, reasoning } = message
  return (
    typeof content === 'string' ||
    Boolean(refusal || tool_calls?.length || function_call || reasoning_content || reasoning) ||
    faultOfEnding(finish_reason) !== null ||
    endsWithoutText.has(finish_reason ?? '')
  )
}

function countSilent(choices: readonly z.infer<typeof choiceSchema>[]): SilentChoices {
  const silent = choices
    .filter(({ message: { content, refusal } }) => !(content || refusal)?.trim())
    .filter(({ finish_reason }) => faultOfEnding(finish_reason) === null)
  const called = silent.filter(
    ({ finish_reason, message }) =>
      message.tool_calls?.length || message.function_call || endsWithoutText.has(finish_reason ?? ''),
  )
  const reasoned = silent.filter(
    (choice) => !called.includes(choice) && (choice.message.reasoning_content || choice.message.reasoning),
  )
  return { reasoned: reasoned.length, called: called.length }
}

function describeNothing(choice: z.infer<typeof choiceSchema> | undefined): {
  wrong: string
  advice?: string
} {
  if (choice?.finish_reason === 'error')
    return { wrong: 'the model failed half way (finish_reason "error").' }
  return {
    wrong: 'the answer has a message without content, refusal or tool calls.',
    advice:
      'Look at what the server sends: its chat template may not fit the model, or a parser of reasoning or tool calls may take the whole answer.',
  }
}

function quoteUsage(body: unknown): string {
  const { usage } = body as { usage?: unknown }
  const text = JSON.stringify(usage) ?? 'outside of "usage"'
  return text.length <= 200 ? text : `${clipText(text, 200)}…`
}
