import { z } from 'zod'
import { faultOfEnding } from '../../../core/contracts/answers.ts'
import { clipText } from '../../../core/contracts/well-formed.ts'
import type { ChatChoice, SilentChoices } from '../chat-model.ts'
import type { Completion } from '../codec.ts'
import { readTokenCounts } from '../read-token-counts.ts'
import type { ChoiceTokens } from '../tokens/read-tokens.ts'

/** Maximum length of a stored answer, in UTF-16 code units. */
const longest = 100_000

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

const argumentsSchema = z.union([z.string(), z.json().transform((value) => JSON.stringify(value))])

const callSchema = z.object({
  /** Gemini's thought signatures, which it demands back. */
  extra_content: z.json().nullish().catch(null),
  function: z
    .object({ name: z.string().catch(''), arguments: argumentsSchema.nullish() })
    .catch({ name: '', arguments: '' }),
})

const messageSchema = z.object({
  content: contentSchema.nullish(),
  refusal: z.string().nullish(),
  tool_calls: z.array(callSchema).nullish().catch(null),
  function_call: callSchema.shape.function.nullish().catch(null),
  /**
   * Servers return a model's thoughts under these names: vLLM and DeepSeek under the first, OpenRouter under the
   * second.
   */
  reasoning_content: z.string().nullish().catch(null),
  reasoning: z.string().nullish().catch(null),
  /** OpenRouter's own items, some of them encrypted. */
  reasoning_details: z.array(z.json()).nullish().catch(null),
})

const choiceSchema = z.object({ message: messageSchema, finish_reason: z.string().nullish() })

const choicesSchema = z.object({ choices: z.array(choiceSchema).min(1) })

/**
 * Reads the body of an answer in OpenAI's format. A choice counts if it was cut, filtered or refused, if it calls
 * tools, or if its model thought and said nothing. Its text is then that of the refusal, or empty. A choice without
 * any content is left out.
 *
 * @returns the fault of a body that holds no answer
 */
export function readCompletion(
  body: unknown,
  offersTools = false,
  tokens: readonly ChoiceTokens[] = [],
): Completion | { wrong: string; advice?: string } {
  const { data } = choicesSchema.safeParse(body)
  if (data === undefined) return { wrong: 'the answer is not a chat completion.' }
  const choices = data.choices
    .map((choice, place) => ({ ...choice, tokens: tokens[place] }))
    .filter(holdsAnswer)
  if (choices.length === 0) return describeNothing(data.choices[0])
  const usage = readTokenCounts(body, data.choices.length)
  if (usage === null) {
    return impossibleCounts(body)
  }
  return {
    choices: choices.map(({ message, finish_reason, tokens: own }) => {
      const { text, cut } = tidyText(message.content || message.refusal || '')
      return {
        content: text,
        finish_reason: cut ? 'length' : (finish_reason ?? 'stop'),
        ...(!message.content && message.refusal && { refused: true as const }),
        ...(offersTools && readCalls(message)),
        ...readThinking(message),
        ...(own && { tokens: own }),
      }
    }),
    silent: countSilent(choices, offersTools),
    usage,
  }
}

const mostCalls = 128

/** Calls get ids of their own: some servers give none, and some give one id to several. */
function readCalls({
  tool_calls,
  function_call,
}: z.infer<typeof messageSchema>): Pick<ChatChoice, 'tool_calls'> {
  const called = tool_calls?.map((call) => call.function) ?? (function_call ? [function_call] : [])
  return numberCalls(called)
}

export function numberCalls(
  called: readonly { name: string; arguments?: string | null | undefined }[],
): Pick<ChatChoice, 'tool_calls'> {
  if (called.length === 0) return {}
  return {
    tool_calls: called.slice(0, mostCalls).map(({ name, arguments: given }, place) => ({
      id: `call${String(place).padStart(5, '0')}`,
      type: 'function',
      function: { name: tidyText(name).text, arguments: tidyText(given ?? '').text },
    })),
  }
}

function readThinking({
  reasoning_content,
  reasoning,
  reasoning_details,
  tool_calls,
}: z.infer<typeof messageSchema>): Pick<ChatChoice, 'thinking'> {
  const said = tidyText(reasoning_content || reasoning || '').text
  const extras = (tool_calls ?? []).slice(0, mostCalls).map(({ extra_content = null }) => extra_content)
  if (extras.some((extra) => extra !== null)) {
    return { thinking: { text: said, field: 'extra_content', details: extras } }
  }
  if (reasoning_details?.length) {
    return { thinking: { text: said, field: 'reasoning_details', details: reasoning_details } }
  }
  if (said === '') return {}
  return { thinking: { text: said, field: reasoning_content ? 'reasoning_content' : 'reasoning' } }
}

/** Finish reasons of valid answers without text, beside those that name a fault. */
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

function countSilent(choices: readonly z.infer<typeof choiceSchema>[], offersTools: boolean): SilentChoices {
  const silent = choices
    .filter(
      ({ message: { tool_calls, function_call } }) => !offersTools || !(tool_calls?.length || function_call),
    )
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

export function silentOf(
  { content, finish_reason, thinking }: ChatChoice,
  { called, offersTools }: { called: boolean; offersTools: boolean },
): SilentChoices {
  const speaks = content.trim() !== '' || (called && offersTools) || faultOfEnding(finish_reason) !== null
  if (speaks) return { reasoned: 0, called: 0 }
  return { reasoned: !called && thinking !== undefined ? 1 : 0, called: called ? 1 : 0 }
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

export function impossibleCounts(body: unknown): { wrong: string } {
  return { wrong: `the answer counts its tokens in figures that cannot be: ${quoteUsage(body)}` }
}

function quoteUsage(body: unknown): string {
  const { usage } = body as { usage?: unknown }
  const text = JSON.stringify(usage) ?? 'outside of "usage"'
  return text.length <= 200 ? text : `${clipText(text, 200)}…`
}
