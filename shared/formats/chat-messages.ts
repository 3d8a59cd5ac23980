import { z } from 'zod'
import type { Message } from '../contracts/message.ts'
import { checkShape } from './bad-row-error.ts'
import { nothingSaid, type ReadTrajectory, roleOf, type Turn } from './read-trajectory.ts'

/** Turns with `role` and `content` and nothing else. */
export function plainMessages(messages: readonly Message[]): Message[] {
  return messages.map(({ role, content }) => ({ role, content }))
}

/**
 * A prompt as one text, for trainers that take no chat: what was said, turn by turn, each with an empty line after it. Those
 * trainers put nothing between a prompt and its first step.
 */
export function promptText(prompt: readonly Message[]): string {
  return prompt.map(({ content }) => `${content}\n\n`).join('')
}

/** Chat messages as files from elsewhere have them, with any format's flag of what is trained on. */
export const messagesSchema = z
  .array(
    z.looseObject({
      role: z.string(),
      content: z.string(),
      /** OpenAI, and the canonical row. */
      weight: z.union([z.literal(0), z.literal(1)]).nullish(),
      /** axolotl's `message_field_training`. */
      train: z.boolean().nullish(),
      training: z.boolean().nullish(),
      /** Agent-R. */
      loss: z.boolean().nullish(),
    }),
  )
  .min(1)

/** @param field - where the messages stand in the row */
export function toTurns(list: z.infer<typeof messagesSchema>, field: string): Turn[] {
  return list.map(({ role, content, weight, train, training, loss }, index) => {
    const at = `${field}[${index}]`
    const flag = weight ?? train ?? training ?? loss ?? null
    return { at, role: roleOf(role, `${at}.role`), content, learned: flag === null ? null : Boolean(flag) }
  })
}

const chatSchema = z.looseObject({ messages: messagesSchema })
const halvesSchema = z.looseObject({ prompt: messagesSchema, completion: messagesSchema })

/** What {@link readMessages} reads, as the list of formats says it. */
export const messagesRead =
  'chat messages: `{messages: [{role, content}]}`; TRL’s also as `{prompt, completion}`'

/** Chat messages: OpenAI's and axolotl's `{messages}`, TRL's also as `{prompt, completion}`. @throws BadRowError */
export function readMessages(row: Record<string, unknown>): ReadTrajectory {
  if ('prompt' in row && 'completion' in row) {
    const { prompt, completion } = checkShape(halvesSchema, row)
    const turns = [...toTurns(prompt, 'prompt'), ...toTurns(completion, 'completion')]
    return { ...nothingSaid, headLength: prompt.length, body: { turns } }
  }
  return { ...nothingSaid, body: { turns: toTurns(checkShape(chatSchema, row).messages, 'messages') } }
}
