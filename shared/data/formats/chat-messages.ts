import { z } from 'zod'
import type { Message } from '../../core/contracts/message.ts'
import { checkShape } from './bad-row-error.ts'
import { readContent } from './read-content.ts'
import { nothingSaid, type ReadTrajectory, type Turn } from './read-trajectory.ts'
import { readTurns } from './read-turns.ts'

export function plainMessages(messages: readonly Message[]): Message[] {
  return messages.map(({ role, content }) => ({ role, content }))
}

/**
 * A prompt as one text, for trainers without chat: the content of each turn with an empty line after it. Those
 * trainers put nothing between a prompt and its first step.
 */
export function promptText(prompt: readonly Message[]): string {
  return prompt.map(({ content }) => `${content}\n\n`).join('')
}

export const rawTurnsSchema = z.array(z.record(z.string(), z.unknown())).min(1)

export function toTurns(list: z.infer<typeof rawTurnsSchema>, field: string): Turn[] {
  return readTurns(list, field, { role: 'role', content: 'content' })
}

const chatSchema = z.looseObject({ messages: rawTurnsSchema, system: z.unknown().optional() })
const halvesSchema = z.looseObject({ prompt: rawTurnsSchema, completion: rawTurnsSchema })
const responseSchema = z.looseObject({
  instructions: z.string().nullish(),
  input: z.union([z.string(), rawTurnsSchema]),
  output: rawTurnsSchema,
})

export const messagesRead =
  'chat messages: `{messages: [{role, content}]}`, with tool calls, parts and reasoning as OpenAI, Anthropic and Inspect write them; TRL’s also as `{prompt, completion}`, the Responses API’s as `{input, output}`'

export function holdsMessages(row: Record<string, unknown>): boolean {
  return 'messages' in row || ('input' in row && Array.isArray(row.output))
}

/**
 * Reads chat messages: OpenAI's and axolotl's `{messages}`, TRL's also as `{prompt, completion}`. @throws BadRowError
 */
export function readMessages(row: Record<string, unknown>): ReadTrajectory {
  if ('prompt' in row && 'completion' in row) {
    const { prompt, completion } = checkShape(halvesSchema, row)
    const head = toTurns(prompt, 'prompt')
    return {
      ...nothingSaid,
      headLength: head.length,
      body: { turns: [...head, ...toTurns(completion, 'completion')] },
    }
  }
  if (!('messages' in row) && holdsMessages(row)) {
    const { instructions, input, output } = checkShape(responseSchema, row)
    const asked =
      typeof input === 'string'
        ? [{ at: 'input', role: 'user' as const, content: input, learned: null }]
        : toTurns(input, 'input')
    const turns = [...systemTurn(instructions, 'instructions'), ...asked, ...toTurns(output, 'output')]
    return { ...nothingSaid, body: { turns } }
  }
  const { messages, system } = checkShape(chatSchema, row)
  const turns = toTurns(messages, 'messages')
  const above = turns[0]?.role === 'system' ? [] : systemTurn(system, 'system')
  return { ...nothingSaid, body: { turns: [...above, ...turns] } }
}

/**
 * Reads the system text that Anthropic's requests and LLaMA-Factory's rows have beside the messages; no turn for an
 * empty text.
 */
export function systemTurn(system: unknown, at: string): Turn[] {
  const { text } = readContent(system, at)
  return text === '' ? [] : [{ at, role: 'system', content: text, learned: null }]
}
