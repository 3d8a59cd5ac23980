import { z } from 'zod'
import { jsonObjectSchema } from '../../core/contracts/json.ts'
import { outsideFacts, splitName, taskName, webAddress } from '../tools/outside-facts.ts'
import { rewardRangeSchema } from '../tools/outside-reward.ts'

const toolName = z.string().min(1).max(256)
const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable')
const field = z.string().min(1).max(500).describe('Where in the result, as names with dots between them.')

const callSchema = z.strictObject({
  tool: toolName,
  arguments: jsonObjectSchema.default({}),
  show: z.boolean().default(false).describe('Whether its result stands in the first observation.'),
})

const mcpTaskSchema = z.strictObject({
  id: taskName.describe('What the task is called here.'),
  instruction: z.string().min(1).max(100_000).describe('What the agent is to do: the first observation.'),
  setup: z
    .array(callSchema)
    .max(100)
    .default([])
    .describe('Calls that prepare the task, after those of all tasks.'),
  check: jsonObjectSchema
    .default({})
    .describe('Arguments of the check of this task, beside those of all tasks.'),
  answer: z.string().optional().describe('What has to be submitted, where the reward is from the answer.'),
  description: z.string().max(500).optional().describe('One line for people. Default: the instruction.'),
  max_steps: z.int().positive().optional().describe('How long a trajectory of this task may get.'),
})

const serverSchema = z.union([
  z.strictObject({
    command: z
      .array(z.string())
      .min(1)
      .describe('A program that speaks MCP on its input and output, with its arguments.'),
    folder: z.string().min(1).default('.').describe('Where it runs, from the folder of this file.'),
    variables: z.array(variable).default([]).describe('Environment variables of the service that it gets.'),
  }),
  z.strictObject({
    address: webAddress.describe(
      'A server that speaks streamable HTTP, such as https://lab.example.com/mcp.',
    ),
    header_variables: z
      .record(z.string().regex(/^[A-Za-z0-9-]+$/), variable)
      .default({})
      .describe('Headers by name, each with the environment variable that holds its whole value.'),
  }),
])

const finishSchema = z
  .union([
    z.strictObject({
      action: z
        .string()
        .regex(/^[A-Za-z0-9_-]{1,64}$/)
        .describe('An action of this name ends the task, with an answer.'),
    }),
    z.strictObject({
      tool: toolName.describe('Calling this tool ends the task.'),
      field: field.optional().describe('Only where this field of its result is true.'),
    }),
  ])
  .default({ action: 'submit' })

const rewardSchema = z.discriminatedUnion('from', [
  z.strictObject({
    from: z
      .literal('result')
      .describe('The result of a tool, each time that the agent calls it: the last one counts.'),
    tool: toolName,
    field: field.optional(),
  }),
  z.strictObject({
    from: z
      .literal('check')
      .describe('A tool that is called for the reward alone and is not shown to the agent.'),
    tool: toolName,
    arguments: jsonObjectSchema.default({}).describe('{answer} in a text stands for what was submitted.'),
    field: field.optional(),
    when: z
      .enum(['end', 'step'])
      .default('end')
      .describe('When it is called: when the task has ended, or after each step.'),
  }),
  z.strictObject({ from: z.literal('answer').describe("Whether what was submitted is the task's answer.") }),
])

export const mcpRegistrationSchema = z.strictObject({
  kind: z.literal('mcp'),
  server: serverSchema,
  tasks: z
    .record(splitName, z.array(mcpTaskSchema).min(1).max(100_000))
    .refine((splits) => Object.keys(splits).length > 0, 'Name at least one split.'),
  tools: z
    .array(toolName)
    .min(1)
    .optional()
    .describe('The tools that the agent may call. Default: all but those of setup and check.'),
  setup: z.array(callSchema).max(100).default([]).describe('Calls that prepare every task.'),
  finish: finishSchema.describe('What ends a task.'),
  reward: rewardSchema.describe('Where the reward of an episode comes from.'),
  reward_range: rewardRangeSchema,
  step_errors: z
    .enum(['fail', 'invalid_action'])
    .default('fail')
    .describe(
      'What an error of the protocol in a call is: a failure of the episode, which is tried again, or an invalid action.',
    ),
  ...outsideFacts,
})

export type McpRegistration = z.infer<typeof mcpRegistrationSchema>
export type McpTask = z.infer<typeof mcpTaskSchema>
export type McpCall = z.infer<typeof callSchema>
