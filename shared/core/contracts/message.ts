import { z } from 'zod'
import { jsonSchema } from './json.ts'
import { pictureSchema } from './picture.ts'

export const messageCallSchema = z
  .object({
    id: z.string().describe('Pairs the call with the turn that answers it.'),
    type: z.literal('function'),
    function: z.object({
      name: z.string(),
      arguments: z.string().describe('JSON as the model wrote it, which may be malformed.'),
    }),
  })
  .meta({ id: 'MessageCall' })

export type MessageCall = z.infer<typeof messageCallSchema>

/**
 * Notations of calls in answers. `native`: in the answer's own field, and not in its text. `hermes`: Hermes, Qwen and
 * Granite. `qwen-xml`: Qwen3-Coder. `json`: a bare object.
 */
export const callFormatSchema = z.enum([
  'native',
  'hermes',
  'qwen-xml',
  'phi',
  'mistral',
  'llama',
  'harmony',
  'json',
])

export type CallFormat = z.infer<typeof callFormatSchema>

/**
 * The fields in which endpoints return a model's thoughts, and expect them back. `reasoning_items` are the items of an
 * answer of the Responses API, `thinking_blocks` the blocks of one of the Messages API. `extra_content` is attached to
 * calls, as Gemini's thought signatures are: an item for each call, null for a call without.
 */
export const reasoningFieldSchema = z.enum([
  'reasoning_content',
  'reasoning',
  'reasoning_details',
  'reasoning_items',
  'thinking_blocks',
  'extra_content',
])

export const thinkingSchema = z
  .object({
    text: z.string(),
    field: reasoningFieldSchema.describe('The field of the answer that held them.'),
    details: z
      .array(jsonSchema)
      .exactOptional()
      .describe('Opaque items of the provider, which it wants back unchanged.'),
  })
  .meta({ id: 'Thinking' })

export type Thinking = z.infer<typeof thinkingSchema>

export const messageSchema = z
  .object({
    role: z.enum(['system', 'user', 'assistant']),
    content: z.string(),
    pictures: z.array(pictureSchema).min(1).exactOptional(),
  })
  .meta({ id: 'Message' })

export const promptMessageSchema = messageSchema
  .extend({
    role: z.enum(['system', 'user', 'assistant', 'tool']),
    tool_calls: z.array(messageCallSchema).min(1).exactOptional(),
    tool_call_id: z.string().exactOptional().describe('In a turn of the role `tool`: the answered call.'),
    thinking: thinkingSchema
      .exactOptional()
      .describe('In an earlier answer: the thoughts that are sent back with it.'),
  })
  .meta({ id: 'PromptMessage' })

export type PromptMessage = z.infer<typeof promptMessageSchema>

export type Message = z.infer<typeof messageSchema>

/** One piece of an observation: text, or a blob stored by its digest (`blobs/{sha256}`), such as a screenshot. */
export const observationPartSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  pictureSchema,
])

export const observationSchema = z.array(observationPartSchema)

export type ObservationPart = z.infer<typeof observationPartSchema>
export type Observation = z.infer<typeof observationSchema>
