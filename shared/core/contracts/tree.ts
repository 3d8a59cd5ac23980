import { z } from 'zod'
import { observationSchema } from './message.ts'

export const primitiveStepSchema = z
  .object({
    action: z.string(),
    observation: z.string(),
    reward: z.number(),
    valid: z.boolean(),
  })
  .meta({ id: 'PrimitiveStep' })

export type PrimitiveStep = z.infer<typeof primitiveStepSchema>

/**
 * Names the node of the episode's answer: the end of a single path, the best node of a search, the node that the
 * method decided for, or the end of the most visited path.
 */
export type TreeAnswer = 'last' | 'best' | 'committed' | 'most-visited'

/**
 * One node of a search tree: the state of the environment after `action`. Trees are flat lists; `parent` is a
 * position in the list and always smaller than the node's own.
 */
export const treeNodeSchema = z
  .object({
    parent: z.int().nonnegative().nullable(),
    depth: z.int().nonnegative(),
    action: z.string().nullable().describe('The action that led here; null at the root.'),
    message: z.string().nullable().describe('The model answer the action was read from.'),
    reasoning: z
      .string()
      .optional()
      .describe(
        'The model’s thoughts beside its answer, if the endpoint returned them in a separate field. Not learned.',
      ),
    observation: observationSchema,
    reward: z.number().describe('The reward of the step that led here; 0 at the root.'),
    terminal: z
      .boolean()
      .describe('Nothing is left to explore below: the episode ended here, or every child is terminal.'),
    done: z.boolean().describe('The environment ended the task here.'),
    disaster: z.boolean().describe('The environment punished the step with a negative reward.'),
    valid: z
      .boolean()
      .optional()
      .describe('True if the environment understood the action and could take it.'),
    progress: z.number().optional().describe('The best share of the goal so far, 0 to 1.'),
    visits: z.int().nonnegative(),
    value: z.number().describe('The mean of the values backed up through the node; 0 without visits.'),
    prior: z.number(),
    primitives: z
      .array(primitiveStepSchema)
      .optional()
      .describe(
        'Environment steps of the action, if it is a learned action or a program; a node without them is one step.',
      ),
    state_hash: z.string().nullable(),
    trace: z
      .string()
      .optional()
      .describe(
        'The requests that the reward was computed from: an HTTP Archive (HAR) in gzip, as base64. Absent: it was not computed from requests.',
      ),
    state_of: z
      .int()
      .nonnegative()
      .optional()
      .describe(
        'The node whose state this one shares, if its action did not reach the environment: it went back there, or paused. Absent: the state is its own.',
      ),
    answer_of: z
      .int()
      .nonnegative()
      .optional()
      .describe(
        'The node of the first call of the same answer, if the answer made several. Absent: the first, or the only one.',
      ),
  })
  .meta({ id: 'TreeNode' })

export type TreeNode = z.infer<typeof treeNodeSchema>

export const treeToolSchema = z
  .object({
    name: z.string(),
    description: z.string(),
    schema: z.record(z.string(), z.json()),
    action: z.string(),
    items: z.record(z.string(), z.string()).exactOptional(),
  })
  .meta({ id: 'TreeTool' })

export type TreeTool = z.infer<typeof treeToolSchema>

/** `tree.json`: a pure function of the episode's journal, with no timestamps and no worker's name in it. */
export const treeSchema = z
  .object({
    schema_version: z.literal('espalier-tree-v1'),
    environment: z.string(),
    task: z.string(),
    method: z.string(),
    messages: z
      .array(
        z.object({
          role: z.enum(['system', 'user', 'assistant']),
          content: z.string(),
          reasoning: z.string().optional(),
        }),
      )
      .describe(
        'The messages before the first action in every prompt: instructions, examples, the first observation.',
      ),
    layout: z
      .literal('eto')
      .optional()
      .describe(
        'Layout of prompts, if it does not use a system text: as ETO’s, which shows observations behind `Observation:`. The nodes hold them without it.',
      ),
    tools: z
      .array(treeToolSchema)
      .exactOptional()
      .describe(
        'The tools that the agent called, with the form of their action texts. Absent: it acted by text. Calls are in `message`, as `<tool_call>{"name": …, "arguments": {…}}</tool_call>`.',
      ),
    runtime: z
      .string()
      .optional()
      .describe(
        'The program that played the environment when the episode began, with its version, such as a browser. Absent: answers do not depend on it.',
      ),
    best: z.int().nonnegative().describe('The node whose path is the answer; 0 when nothing was found.'),
    nodes: z.array(treeNodeSchema).min(1),
  })
  .meta({ id: 'Tree' })

export type Tree = z.infer<typeof treeSchema>
