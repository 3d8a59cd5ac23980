import { z } from 'zod'
import { checkShape } from '../bad-row-error.ts'
import { nothingSaid, type TrajectoryReader } from '../trajectory-reader.ts'
import { roleOf, type Turn } from '../turn.ts'

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

const chatSchema = z.looseObject({ messages: messagesSchema })
const halvesSchema = z.looseObject({ prompt: messagesSchema, completion: messagesSchema })

/** Chat messages: OpenAI's and axolotl's `{messages}`, TRL's also as `{prompt, completion}`. */
export const messagesReader: TrajectoryReader = {
  description: 'chat messages: `{messages: [{role, content}]}`; TRL’s also as `{prompt, completion}`',
  read(row) {
    if ('prompt' in row && 'completion' in row) {
      const { prompt, completion } = checkShape(halvesSchema, row)
      const turns = [...toTurns(prompt, 'prompt'), ...toTurns(completion, 'completion')]
      return { ...nothingSaid, headLength: prompt.length, body: { turns } }
    }
    return { ...nothingSaid, body: { turns: toTurns(checkShape(chatSchema, row).messages, 'messages') } }
  },
}

/** @param field - where the messages stand in the row */
export function toTurns(list: z.infer<typeof messagesSchema>, field: string): Turn[] {
  return list.map(({ role, content, weight, train, training, loss }, index) => {
    const at = `${field}[${index}]`
    const flag = weight ?? train ?? training ?? loss ?? null
    return { at, role: roleOf(role, `${at}.role`), content, learned: flag === null ? null : Boolean(flag) }
  })
}
