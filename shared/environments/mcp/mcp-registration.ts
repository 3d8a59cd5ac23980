import { z } from 'zod'
import { jsonObjectSchema } from '../../core/contracts/json.ts'
import { outsideFacts, splitName, taskName, webAddress } from '../tools/outside-facts.ts'
import { rewardRangeSchema } from '../tools/outside-reward.ts'

const toolName = z.string().min(1).max(256)
const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable')
const field = z.string().min(1).max(500).describe('Path of the field in the result: names separated by dots.')

const callSchema = z.strictObject({
  tool: toolName,
  arguments: jsonObjectSchema.default({}),
  show: z.boolean().default(false).describe('True to show its result in the first observation.'),
})

const mcpTaskSchema = z.strictObject({
  id: taskName.describe('Id of the task in Espalier.'),
  instruction: z
    .string()
    .min(1)
    .max(100_000)
    .describe('Instruction for the agent; it is the first observation.'),
  setup: z
    .array(callSchema)
    .max(100)
    .default([])
    .describe('Calls that prepare the task, after those of all tasks.'),
  check: jsonObjectSchema
    .default({})
    .describe('Arguments of the check for this task, in addition to those of all tasks.'),
  answer: z.string().optional().describe('Expected answer, if the reward is from the answer.'),
  description: z
    .string()
    .max(500)
    .optional()
    .describe('One-line description for readers. Default: the instruction.'),
  max_steps: z
    .int()
    .positive()
    .optional()
    .describe('Maximum length of a trajectory of this task, in actions.'),
})

const serverSchema = z.union([
  z.strictObject({
    command: z
      .array(z.string())
      .min(1)
      .describe('A program that speaks MCP on its input and output, with its arguments.'),
    folder: z
      .string()
      .min(1)
      .default('.')
      .describe('Working directory of the program, relative to the folder of this file.'),
    variables: z
      .array(variable)
      .default([])
      .describe('Environment variables of the service to pass to the program.'),
  }),
  z.strictObject({
    address: webAddress.describe(
      'Address of a server that speaks streamable HTTP, such as https://lab.example.com/mcp.',
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
        .describe('Name of the action that ends the task, with an answer.'),
    }),
    z.strictObject({
      tool: toolName.describe('Tool whose call ends the task.'),
      field: field.optional().describe('End the task only if this field of the result is true.'),
    }),
  ])
  .default({ action: 'submit' })

const rewardSchema = z.discriminatedUnion('from', [
  z.strictObject({
    from: z
      .literal('result')
      .describe('Reward from the results of a tool that the agent calls; the last result counts.'),
    tool: toolName,
    field: field.optional(),
  }),
  z.strictObject({
    from: z
      .literal('check')
      .describe('Reward from a tool that only Espalier calls; the agent does not see it.'),
    tool: toolName,
    arguments: jsonObjectSchema
      .default({})
      .describe('Arguments of the tool; {answer} in a text stands for the submitted answer.'),
    field: field.optional(),
    when: z
      .enum(['end', 'step'])
      .default('end')
      .describe('Time of the call: at the end of the task, or after each step.'),
  }),
  z.strictObject({ from: z.literal('answer').describe("1 for the task's answer, 0 for any other.") }),
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
  finish: finishSchema.describe('Condition that ends a task.'),
  reward: rewardSchema.describe('Source of an episode’s reward.'),
  reward_range: rewardRangeSchema,
  step_errors: z
    .enum(['fail', 'invalid_action'])
    .default('fail')
    .describe(
      'Handling of a protocol error in a call: fail and retry the episode, or count an invalid action.',
    ),
  ...outsideFacts,
})

export type McpRegistration = z.infer<typeof mcpRegistrationSchema>
export type McpTask = z.infer<typeof mcpTaskSchema>
export type McpCall = z.infer<typeof callSchema>
