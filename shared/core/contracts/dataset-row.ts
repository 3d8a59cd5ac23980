import { z } from 'zod'
import { jsonObjectSchema } from './json.ts'
import { messageSchema } from './message.ts'

/** A turn of a row. Only the model's have thoughts: those that came in a field of their own. */
export const rowMessageSchema = messageSchema.extend({ reasoning: z.string().min(1).exactOptional() })

export type RowMessage = z.infer<typeof rowMessageSchema>

export const rowToolSchema = z.object({
  name: z.string(),
  description: z.string(),
  schema: jsonObjectSchema,
})

export type RowTool = z.infer<typeof rowToolSchema>

/**
 * The tools that the model was offered; absent: it acted by text. Turns hold calls as trees do, as
 * `<tool_call>{"name": …, "arguments": {…}}</tool_call>`.
 */
const tools = z.array(rowToolSchema).min(1).exactOptional()

/** A turn of a conversation to learn from. Only the model's own turns have a weight: 1 is learned, 0 is context. */
export const weightedMessageSchema = rowMessageSchema.extend({
  weight: z.union([z.literal(0), z.literal(1)]).optional(),
})

export type WeightedMessage = z.infer<typeof weightedMessageSchema>

/** `sft`, `revision`, `exploration`: a conversation whose assistant turns are each marked as learned or not. */
export const conversationRowSchema = z.object({
  type: z.literal('conversation'),
  messages: z.array(weightedMessageSchema).min(2),
  tools,
})

/** `preference`, `step-preference`: two continuations of one prompt. Both sides begin and end with the model. */
export const preferenceRowSchema = z.object({
  type: z.literal('preference'),
  prompt: z.array(rowMessageSchema).min(1),
  chosen: z.array(rowMessageSchema).min(1),
  rejected: z.array(rowMessageSchema).min(1),
  tools,
})

export const unpairedRowSchema = z.object({
  type: z.literal('unpaired'),
  prompt: z.array(rowMessageSchema).min(1),
  completion: z.array(rowMessageSchema).min(1),
  label: z.boolean(),
  tools,
})

/**
 * `process-reward`: a path step by step. `completions` are the model's answers, each preceded by the environment's
 * output since the last one; `values` are the tree's (mean of backed-up values), `labels` the kind's derivation from
 * them.
 */
export const processRowSchema = z.object({
  type: z.literal('process'),
  prompt: z.array(rowMessageSchema).min(1),
  completions: z.array(z.string()).min(1),
  labels: z.array(z.boolean()).min(1),
  values: z.array(z.number()).min(1),
})

/** `prompts`: a starting point for a policy, and the reference that verifies its answer. */
export const promptRowSchema = z.object({
  type: z.literal('prompt'),
  prompt: z.array(rowMessageSchema).min(1),
  tools,
  /**
   * A verifier's input to play the task again: environment, task, data, seed, success threshold and similar settings.
   */
  reference: jsonObjectSchema,
})

const tokenIds = z.array(z.int().nonnegative())
const tokenLogprobs = z.array(z.number().nullable())

const sampledShape = {
  group: z.string(),
  // Branches in the statistics of the group, those without a token record included.
  members: z.int().positive(),
  // Of the model's weights, in the server's words.
  versions: z.array(z.string()).min(1),
  // Null: the calls did not say it, or differed.
  temperature: z.number().nullable(),
}

/** `rollouts`: a branch as one flat sequence. Lists about tokens are as long as `completion_ids`. */
export const rolloutRowSchema = z.object({
  type: z.literal('rollout'),
  ...sampledShape,
  // A branch has several parts if a later prompt does not begin with the prompt and answer before it.
  part: z.int().nonnegative(),
  parts: z.int().positive(),
  prompt_ids: tokenIds,
  completion_ids: tokenIds.min(1),
  // 1: the agent's own.
  completion_mask: z.array(z.union([z.literal(0), z.literal(1)])),
  // Null: unknown, or not the agent's.
  logprobs: tokenLogprobs,
  reward: z.number(),
  // 0 for tokens that are not the agent's; null: none were asked for.
  advantages: z.array(z.number()).nullable(),
})

/** `rollout-trees`: the branches of one tree, whose segments are in an order of parents first. */
export const rolloutTreeRowSchema = z.object({
  type: z.literal('rollout-tree'),
  ...sampledShape,
  segments: z
    .array(
      z.object({
        parent: z.int().nonnegative().nullable(),
        ids: tokenIds,
        // True: the agent's own.
        learned: z.boolean(),
        // As long as `ids`; empty: not the agent's.
        logprobs: tokenLogprobs,
      }),
    )
    .min(1),
  branches: z
    .array(
      z.object({
        // Its last segment.
        segment: z.int().nonnegative(),
        part: z.int().nonnegative(),
        parts: z.int().positive(),
        reward: z.number(),
        // One for each learned segment on its way, the first first; empty: none were asked for.
        advantages: z.array(z.number()),
      }),
    )
    .min(1),
  // Tokens of the branches without sharing.
  flat_tokens: z.int().positive(),
})

export const datasetRowSchema = z.discriminatedUnion('type', [
  conversationRowSchema,
  preferenceRowSchema,
  unpairedRowSchema,
  processRowSchema,
  promptRowSchema,
  rolloutRowSchema,
  rolloutTreeRowSchema,
])

export type DatasetRow = z.infer<typeof datasetRowSchema>
export type RowType = DatasetRow['type']
export type RowOf<Type extends RowType> = Extract<DatasetRow, { type: Type }>
export type ConversationRow = RowOf<'conversation'>
