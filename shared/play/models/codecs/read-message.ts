import { z } from 'zod'
import { faultOfEnding } from '../../../core/contracts/answers.ts'
import { type Json, jsonSchema } from '../../../core/contracts/json.ts'
import type { ChatChoice } from '../chat-model.ts'
import type { Completion, DecodingFault } from '../codec.ts'
import { readTokenCounts } from '../read-token-counts.ts'
import { impossibleCounts, numberCalls, silentOf, tidyText } from './read-completion.ts'

const blockSchema = z.looseObject({
  type: z.string(),
  text: z.string().nullish().catch(null),
  thinking: z.string().nullish().catch(null),
  name: z.string().catch(''),
  input: jsonSchema.optional(),
})

const messageSchema = z.looseObject({
  type: z.literal('message').optional(),
  content: z.array(blockSchema),
  stop_reason: z.string().nullish(),
})

type Block = z.infer<typeof blockSchema>

/** Reasons for the end of an answer, in the words of chat completions. Others are kept. */
const endings: Readonly<Record<string, string>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'tool_calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  pause_turn: 'length',
}

export function readMessage(body: unknown, offersTools: boolean): Completion | DecodingFault {
  const { data } = messageSchema.safeParse(body)
  if (data === undefined) return { wrong: 'the answer is not a message.' }
  const { content, stop_reason } = data
  if (content.length === 0 && !stop_reason) return { wrong: 'the message has no content and no stop_reason.' }
  const usage = readTokenCounts(body)
  if (usage === null) return impossibleCounts(body)
  const calls = content.filter(({ type }) => type === 'tool_use')
  const said = content.map(({ type, text }) => (type === 'text' ? (text ?? '') : '')).join('')
  const { text, cut } = tidyText(said)
  const ending = endings[stop_reason ?? ''] ?? stop_reason ?? 'stop'
  const choice: ChatChoice = {
    content: text,
    finish_reason: cut ? 'length' : ending,
    ...(faultOfEnding(ending) === 'refused' && { refused: true as const }),
    ...(offersTools && numberCalls(calls.map(({ name, input }) => ({ name, arguments: writeInput(input) })))),
    ...readThinking(content, (body as { content: Json[] }).content),
  }
  return { choices: [choice], silent: silentOf(choice, { called: calls.length > 0, offersTools }), usage }
}

function writeInput(input: Json | undefined): string {
  return input === undefined ? '' : JSON.stringify(input)
}

/** Keeps all blocks of an answer with thoughts, because they go back in their order and unchanged. */
function readThinking(blocks: readonly Block[], details: Json[]): Pick<ChatChoice, 'thinking'> {
  if (!blocks.some(({ type }) => type === 'thinking' || type === 'redacted_thinking')) return {}
  const texts = blocks.map(({ thinking }) => thinking ?? '').filter((text) => text !== '')
  return { thinking: { text: tidyText(texts.join('\n\n')).text, field: 'thinking_blocks', details } }
}
