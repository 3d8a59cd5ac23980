import { z } from 'zod'
import type { Json } from '../../../core/contracts/json.ts'
import type { ChatChoice } from '../chat-model.ts'
import type { Completion, DecodingFault } from '../codec.ts'
import { readTokenCounts } from '../read-token-counts.ts'
import { impossibleCounts, numberCalls, silentOf, tidyText } from './read-completion.ts'

const partSchema = z.looseObject({
  type: z.string().catch(''),
  text: z.string().nullish(),
  refusal: z.string().nullish(),
})

const itemSchema = z.looseObject({
  type: z.string(),
  content: z.array(partSchema).nullish().catch(null),
  summary: z.array(partSchema).nullish().catch(null),
  name: z.string().catch(''),
  arguments: z.string().catch(''),
})

const responseSchema = z.looseObject({
  status: z.string().nullish(),
  incomplete_details: z.looseObject({ reason: z.string().nullish() }).nullish(),
  output: z.array(itemSchema),
})

type Item = z.infer<typeof itemSchema>

/**
 * Reads the body of an answer of the Responses API: one choice of its texts, calls and reasoning. A response that is
 * not over is a fault.
 */
export function readResponse(body: unknown, offersTools: boolean): Completion | DecodingFault {
  const { data } = responseSchema.safeParse(body)
  if (data === undefined) return { wrong: 'the answer is not a response.' }
  const { output, status = 'completed' } = data
  if (status !== 'completed' && status !== 'incomplete') {
    return { wrong: `the response is ${status}, and not completed.` }
  }
  const usage = readTokenCounts(body)
  if (usage === null) return impossibleCounts(body)
  const parts = (type: string) => output.filter((item) => item.type === type)
  const said = textOf(parts('message'), 'text')
  const refusal = textOf(parts('message'), 'refusal')
  const calls = parts('function_call')
  const thinking = readThinking(output, (body as { output: Json[] }).output)
  const ending = data.incomplete_details?.reason
  const isCut = status === 'incomplete'
  if (!isCut && parts('message').length + calls.length === 0 && thinking.thinking === undefined) {
    return {
      wrong: 'the response has no message, call or reasoning.',
      advice:
        'Look at the server’s raw answer: its parser of reasoning or tool calls may take the whole of it.',
    }
  }
  const { text, cut } = tidyText(said || refusal)
  const usual = calls.length > 0 ? 'tool_calls' : 'stop'
  const choice: ChatChoice = {
    content: text,
    finish_reason: isCut ? (ending === 'content_filter' ? ending : 'length') : cut ? 'length' : usual,
    ...(said === '' && refusal !== '' && { refused: true as const }),
    ...(offersTools && numberCalls(calls)),
    ...thinking,
  }
  return { choices: [choice], silent: silentOf(choice, { called: calls.length > 0, offersTools }), usage }
}

function textOf(items: readonly Item[], field: 'text' | 'refusal'): string {
  return items
    .flatMap(({ content }) => content ?? [])
    .map((part) => part[field] ?? '')
    .join('')
}

/** Keeps all items of an answer with reasoning, because they go back in their order and unchanged. */
function readThinking(items: readonly Item[], details: Json[]): Pick<ChatChoice, 'thinking'> {
  const reasoned = items.filter(({ type }) => type === 'reasoning')
  if (reasoned.length === 0) return {}
  const texts = reasoned.map(({ content, summary }) =>
    [...(summary ?? []), ...(content ?? [])].map(({ text }) => text ?? '').join('\n'),
  )
  const { text } = tidyText(texts.filter((each) => each !== '').join('\n\n'))
  return { thinking: { text, field: 'reasoning_items', details } }
}
