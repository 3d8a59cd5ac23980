import { z } from 'zod'
import { answerFaultSchema } from './answers.ts'
import { jsonSchema } from './json.ts'
import { messageSchema } from './message.ts'
import { treeNodeSchema } from './tree.ts'
import { usageSchema } from './usage.ts'

export const modelCallSchema = z
  .object({
    key: z.string().describe('The effect, such as `node/4/value/verdicts`.'),
    asked: z.string().describe('Who was asked: `policy`, or a role of the run.'),
    model: z
      .string()
      .nullable()
      .describe('Endpoint and model, as `endpoint/model`; null where the journal does not say.'),
    messages: z.array(messageSchema).describe('The prompt as it was sent.'),
    answers: z.array(z.string()),
    endings: z
      .array(
        z.object({
          finish_reason: z
            .string()
            .nullable()
            .describe(
              'Why the answer ended, in the words of the endpoint; null where the journal does not say.',
            ),
          fault: answerFaultSchema.nullable(),
        }),
      )
      .describe('How each answer ended, in their order; empty where the model answered with a number.'),
    usage: usageSchema.nullable(),
  })
  .meta({ id: 'ModelCall' })

export type ModelCall = z.infer<typeof modelCallSchema>

export const judgementSchema = z
  .object({
    votes: z
      .array(z.object({ answer: z.string(), value: z.number().nullable() }))
      .describe('Every verdict; null where it could not be read.'),
    value: z.number().nullable().describe('The mean of the votes, or what a trained model said.'),
    debate: z
      .object({ support: z.string(), oppose: z.string() })
      .nullable()
      .describe('The opinion for the last action and the one against it, where there was a debate.'),
    checks: z.string().nullable().describe('What the judge wrote down to check in this task.'),
    calls: z.array(modelCallSchema),
  })
  .meta({ id: 'Judgement' })

export type Judgement = z.infer<typeof judgementSchema>

export const usedNoteSchema = z
  .object({
    id: z.string(),
    side: z
      .enum(['policy', 'value', 'task'])
      .describe('Who was shown it: who acts, who judges, or everybody.'),
    run: z.string().describe('The run that wrote it: this one, or the one whose memory it reads.'),
    episode: z.string().describe('The episode that wrote it.'),
    task: z.string(),
    note: z.string(),
    similarity: z
      .number()
      .nullable()
      .describe('How near its situation is to this one, where it was looked up by that.'),
  })
  .meta({ id: 'UsedNote' })

export type UsedNote = z.infer<typeof usedNoteSchema>

export const stateChangeSchema = z
  .object({
    type: z.enum(['added', 'changed', 'removed']),
    path: z.array(z.union([z.string(), z.number()])).describe('Where in the state, as keys and positions.'),
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
          'Shows it without a key for a quarter of an hour, resolved against the address that was asked; null where `sha256` names no blob.',
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
      .describe('The call whose answer led here; null at the root, and where a task was begun.'),
    expansions: z.array(modelCallSchema).describe('Calls that proposed what to do from here.'),
    judgement: judgementSchema.nullable().describe('Null where no model was asked what the state is worth.'),
    notes: z.array(usedNoteSchema),
    others: z
      .array(modelCallSchema)
      .describe('Calls about this node that are none of these, such as reflections.'),
    usage: usageSchema.describe('Of the calls about this node: `expansions`, `judgement` and `others`.'),
    state: jsonSchema.nullable().describe('The state of the environment; null where `state_note` says why.'),
    state_changes: z
      .array(stateChangeSchema)
      .nullable()
      .describe('Null at the root, and where there is no state.'),
    state_note: z
      .string()
      .nullable()
      .describe('Why the state is not known, such as an environment that runs elsewhere.'),
  })
  .meta({ id: 'NodeDetail' })

export type NodeDetail = z.infer<typeof nodeDetailSchema>
