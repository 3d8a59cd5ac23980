import { z } from 'zod'
import { answerFaultSchema } from './answers.ts'
import { jsonSchema } from './json.ts'
import { callFormatSchema, promptMessageSchema } from './message.ts'
import { treeNodeSchema } from './tree.ts'
import { usageSchema } from './usage.ts'

export const modelCallSchema = z
  .object({
    key: z.string().describe('The effect, such as `node/4/value/verdicts`.'),
    asked: z.string().describe('Recipient of the call: `policy`, or a role of the run.'),
    model: z
      .string()
      .nullable()
      .describe('Endpoint and model, as `endpoint/model`; null if the journal does not say.'),
    messages: z.array(promptMessageSchema).describe('The prompt as it was sent.'),
    answers: z.array(z.string()),
    endings: z
      .array(
        z.object({
          finish_reason: z
            .string()
            .nullable()
            .describe(
              'Finish reason of the answer, in the words of the endpoint; null if the journal does not say.',
            ),
          fault: answerFaultSchema.nullable(),
          call_format: callFormatSchema
            .exactOptional()
            .describe(
              'Notation of the calls in the answer of an agent that calls tools; `native`: in the answer’s own field. Absent: it calls nothing.',
            ),
          thinking: z
            .string()
            .exactOptional()
            .describe('The model’s thoughts, if the endpoint returned them in a separate field.'),
          calls: z
            .array(z.object({ name: z.string(), arguments: jsonSchema }))
            .exactOptional()
            .describe(
              'The tools that the answer calls, in their order; arguments that are not JSON are kept as text. Absent: no tool was offered, or none is called.',
            ),
        }),
      )
      .describe('The ending of each answer, in their order; empty if the model answered with a number.'),
    usage: usageSchema.nullable(),
  })
  .meta({ id: 'ModelCall' })

export type ModelCall = z.infer<typeof modelCallSchema>

export const judgementSchema = z
  .object({
    votes: z
      .array(z.object({ answer: z.string(), value: z.number().nullable() }))
      .describe('Every verdict; null if it was unreadable.'),
    value: z.number().nullable().describe('The mean of the votes, or a trained model’s value.'),
    debate: z
      .object({ support: z.string(), oppose: z.string() })
      .nullable()
      .describe('The opinion for the last action and the one against it, if there was a debate.'),
    checks: z.string().nullable().describe('The judge’s list of checks for this task.'),
    calls: z.array(modelCallSchema),
  })
  .meta({ id: 'Judgement' })

export type Judgement = z.infer<typeof judgementSchema>

export const usedNoteSchema = z
  .object({
    id: z.string(),
    side: z
      .enum(['policy', 'value', 'task'])
      .describe('The reader of the note: who acts, who judges, or everybody.'),
    run: z.string().describe('The run that wrote it: this one, or the one whose memory it reads.'),
    episode: z.string().describe('The episode that wrote it.'),
    task: z.string(),
    note: z.string(),
    similarity: z
      .number()
      .nullable()
      .describe('Similarity of its situation to this one, if the lookup used it.'),
  })
  .meta({ id: 'UsedNote' })

export type UsedNote = z.infer<typeof usedNoteSchema>

export const stateChangeSchema = z
  .object({
    type: z.enum(['added', 'changed', 'removed']),
    path: z.array(z.union([z.string(), z.number()])).describe('Path in the state, as keys and positions.'),
    before: jsonSchema.optional(),
    after: jsonSchema.optional(),
  })
  .meta({ id: 'StateChange' })

export type StateChange = z.infer<typeof stateChangeSchema>

export const shownObservationPartSchema = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('text'), text: z.string() }),
    z.object({
      type: z.literal('blob'),
      sha256: z.string(),
      media_type: z.string(),
      url: z
        .string()
        .nullable()
        .describe(
          'Download address that works without a key for 15 minutes, relative to the address of the request; null if `sha256` names no blob.',
        ),
    }),
  ])
  .meta({ id: 'ShownObservationPart' })

export type ShownObservationPart = z.infer<typeof shownObservationPartSchema>

export const nodeDetailSchema = z
  .object({
    object: z.literal('node'),
    run: z.string(),
    episode: z.string(),
    index: z.int().nonnegative(),
    children: z.array(z.int().nonnegative()),
    node: treeNodeSchema.omit({ observation: true }),
    observation: z.array(shownObservationPartSchema),
    proposal: modelCallSchema
      .nullable()
      .describe('The call whose answer led here; null at the root, and at the start of a task.'),
    expansions: z.array(modelCallSchema).describe('Calls that proposed actions from here.'),
    judgement: judgementSchema.nullable().describe('Null if no model judged the value of the state.'),
    notes: z.array(usedNoteSchema),
    others: z.array(modelCallSchema).describe('Other calls about this node, such as reflections.'),
    usage: usageSchema.describe(
      'Usage of the calls about this node: `expansions`, `judgement` and `others`.',
    ),
    state: jsonSchema.nullable().describe('The state of the environment; null if `state_note` has a reason.'),
    state_changes: z
      .array(stateChangeSchema)
      .nullable()
      .describe('Null at the root, and if there is no state.'),
    state_note: z
      .string()
      .nullable()
      .describe('The reason for a missing state, such as an environment that runs elsewhere.'),
  })
  .meta({ id: 'NodeDetail' })

export type NodeDetail = z.infer<typeof nodeDetailSchema>
