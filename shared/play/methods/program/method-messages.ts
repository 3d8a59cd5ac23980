import { createHash } from 'node:crypto'
import { z } from 'zod'
import { jsonObjectSchema, jsonSchema } from '../../../core/contracts/json.ts'
import { memoryNoteSchema } from '../../../core/contracts/memory.ts'
import { messageSchema, promptMessageSchema } from '../../../core/contracts/message.ts'
import { modelChoiceSchema, roleSchema } from '../../../core/contracts/model-choice.ts'
import { mostPictures, pictureSchema, sentPictureSchema } from '../../../core/contracts/picture.ts'

const name = z.string().regex(/^[a-z][a-z0-9-]{0,62}$/)

const detailedProtocol = 2

export const programMethodSchema = z.strictObject({
  id: name,
  description: z.string().min(1).max(2000),
  source: z.string().min(1).max(2000).exactOptional(),
  parameters: jsonObjectSchema.describe('A JSON Schema of an object.'),
  branches: z.boolean(),
  prompt: z.enum(['react', 'act']).default('react').describe('The system prompt of the policy.'),
  roles: z.array(roleSchema.exclude(['embedding'])).default([]),
  answer: z.enum(['last', 'best', 'committed', 'most-visited']).default('last'),
  extendable: z.array(z.string()).default([]),
  shares_notes: z
    .strictObject({ round_size: z.int().positive().nullable() })
    .nullable()
    .default(null)
    .describe('Set if later episodes read its notes; `round_size` episodes play in parallel before they do.'),
})

export type ProgramMethod = z.infer<typeof programMethodSchema>

export const methodsAnswerSchema = z.object({
  methods: z.array(programMethodSchema).min(1),
  files: z.array(z.object({ name: z.string(), sha256: z.hex() })).min(1),
  protocol: z.int().default(1),
})

/** Packages of earlier versions refuse unknown fields. */
export function takesDetails({ protocol }: MethodsAnswer): boolean {
  return protocol >= detailedProtocol
}

export type MethodsAnswer = z.infer<typeof methodsAnswerSchema>

export function digestFiles({ files }: MethodsAnswer): string {
  const named = files.map(({ name, sha256 }) => `${name} ${sha256}`).sort()
  return createHash('sha256').update(named.join('\n')).digest('hex').slice(0, 16)
}

const call = z.int().positive()
const node = z.int().nonnegative()
const key = z.string().min(1).max(500)
const role = roleSchema.exclude(['embedding']).or(z.literal('policy'))
const proposal = z.strictObject({
  message: z.string(),
  action: z.string(),
  effect: key,
  complaint: z.string().exactOptional(),
  prior: z.number().min(0).max(1).exactOptional(),
})
const messages = z.array(messageSchema).min(1)
const { max_tokens, reasoning_effort, stop, temperature, top_p } = modelChoiceSchema.shape
const settings = z
  .strictObject({
    temperature: temperature.unwrap().exactOptional(),
    top_p: top_p.unwrap().exactOptional(),
    max_tokens: max_tokens.unwrap().exactOptional(),
    stop: stop.unwrap().exactOptional(),
    reasoning_effort: reasoning_effort.unwrap().exactOptional(),
    logprobs: z.boolean().exactOptional(),
  })
  .exactOptional()
const shownPicture = z.union([pictureSchema, sentPictureSchema])
const asked = promptMessageSchema.extend({
  pictures: z.array(shownPicture).min(1).max(mostPictures).exactOptional(),
})
const tool = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  description: z.string(),
  schema: jsonObjectSchema,
})
const { side } = memoryNoteSchema.shape

export const methodRequestSchema = z.discriminatedUnion('op', [
  z.strictObject({
    call,
    op: z.literal('propose'),
    node,
    key,
    n: z.int().min(1).max(128),
    notes: z.string(),
    system: z.string().nullable(),
    settings,
  }),
  z.strictObject({ call, op: z.literal('step'), node, proposal, max_depth: z.int().nullable() }),
  z.strictObject({ call, op: z.literal('unparsable'), node, proposal }),
  z.strictObject({ call, op: z.literal('back_up'), node, value: z.number() }),
  z.strictObject({ call, op: z.literal('commit'), node }),
  z.strictObject({
    call,
    op: z.literal('ask'),
    key,
    role,
    messages: z.array(asked).min(1),
    n: z.int().min(1).max(128),
    settings,
    tools: z.array(tool).min(1).max(128).exactOptional(),
  }),
  z.strictObject({ call, op: z.literal('effect'), key }),
  z.strictObject({ call, op: z.literal('actions'), node }),
  z.strictObject({ call, op: z.literal('score'), key, messages }),
  z.strictObject({ call, op: z.literal('transcript'), node, role }),
  z.strictObject({ call, op: z.literal('note_unread'), effect: key, answers: z.int().positive() }),
  z.strictObject({ call, op: z.literal('random'), key }),
  z.strictObject({ call, op: z.literal('elapsed') }),
  z.strictObject({ call, op: z.literal('fork'), node, key }),
  z.strictObject({ call, op: z.literal('fork_step'), fork: z.int().nonnegative(), action: z.string() }),
  z.strictObject({
    call,
    op: z.literal('land'),
    node,
    proposal,
    fork: z.int().nonnegative(),
    keep: z.boolean(),
    observation: z.string(),
    valid: z.boolean(),
  }),
  z.strictObject({
    call,
    op: z.literal('recall'),
    key,
    side,
    objective: z.string(),
    observation: z.string(),
    most: z.int().positive(),
    least: z.number(),
  }),
  z.strictObject({
    call,
    op: z.literal('remember'),
    key,
    side,
    note: z.string().min(1),
    observation: z.string(),
    action: z.string().nullable(),
  }),
])

export const performedAnswerSchema = z.object({ result: jsonSchema })

export type MethodRequest = z.infer<typeof methodRequestSchema>

export const turnAnswerSchema = z.object({
  requests: z.array(methodRequestSchema),
  done: z.boolean(),
})
