import { z } from 'zod'
import { jsonObjectSchema } from './json.ts'
import { roleSchema } from './model-choice.ts'
import { questionRoleSchema } from './model-question.ts'
import { taskLevelSchema } from './task-level.ts'
import { tokenSourceSchema } from './token-record.ts'

export const declaredBounds = {
  reward_range: z
    .tuple([z.number(), z.number()])
    .exactOptional()
    .describe('Minimum and maximum reward of a step. Absent: any finite number.'),
  max_observation_bytes: z
    .int()
    .positive()
    .max(16 * 1024 * 1024)
    .exactOptional()
    .describe('Maximum size of an observation, in bytes. Absent: 2 MiB.'),
}

export const isolationLimits = {
  step_time_limit: z
    .number()
    .positive()
    .max(100)
    .exactOptional()
    .describe('For an environment in a module: maximum seconds for a reset or a step. Absent: 30.'),
  memory_limit_mb: z
    .int()
    .min(32)
    .max(65_536)
    .exactOptional()
    .describe(
      'For an environment in a module: heap of each process that plays it, in megabytes. Absent: 512.',
    ),
}

export const generatorInfoSchema = z
  .object({
    id: z.string(),
    version: z.int().describe('The newest version. The tasks of a version never change.'),
    description: z.string(),
    bounds: jsonObjectSchema.describe(
      'JSON Schema of the bounds on its tasks, with the defaults; a request sets them beside `count`.',
    ),
  })
  .meta({ id: 'Generator' })

export type GeneratorInfo = z.infer<typeof generatorInfoSchema>

export const environmentInfoSchema = z
  .object({
    id: z.string(),
    object: z.literal('environment'),
    description: z.string(),
    snapshot: z.enum(['native', 'replay', 'none']),
    deterministic: z.boolean(),
    success_threshold: z.number(),
    default_max_steps: z.int(),
    ...declaredBounds,
    ...isolationLimits,
    splits: z.record(z.string(), z.int()).describe('Number of tasks in each split.'),
    types: z.array(z.string()),
    kind: z
      .enum(['text', 'pages', 'computer', 'tools'])
      .describe(
        'The agent acts in texts (`text`), on web pages (`pages`), on a whole computer (`computer`), or with the tools of a server (`tools`).',
      ),
    tools: z
      .array(z.string())
      .describe(
        'Names of the tools that its first task declares; empty: agents that call tools call `act` with an action text.',
      ),
    roles: z
      .array(questionRoleSchema)
      .exactOptional()
      .describe(
        'Roles that it may ask, depending on its tasks and options; runs name their models. Absent: none.',
      ),
    hosting: z
      .enum(['worker', 'host'])
      .describe('Default host of the environment if a run names none: inside the workers, or on hosts only.'),
    data: z
      .string()
      .nullable()
      .describe(
        'The digest of the data pack that its tasks are from; null: the environment itself has them.',
      ),
    options: jsonObjectSchema
      .nullable()
      .describe(
        'JSON Schema of the rules that a run may set in `environment_options`, with the defaults; null: none.',
      ),
    generators: z
      .array(generatorInfoSchema)
      .exactOptional()
      .describe('Generators that make further tasks over the built-in data. Absent: there are none.'),
  })
  .meta({ id: 'Environment' })

export type EnvironmentInfo = z.infer<typeof environmentInfoSchema>

export const taskInfoSchema = z
  .object({
    id: z.string(),
    object: z.literal('task'),
    split: z.string(),
    type: z.string(),
    description: z.string(),
    max_steps: z.int().optional().describe('The task’s own default for the longest trajectory, in steps.'),
    min_steps: z
      .int()
      .optional()
      .describe(
        'No solution has fewer steps. If this exceeds the longest trajectory, the task cannot be solved.',
      ),
    level: taskLevelSchema
      .exactOptional()
      .describe(
        'Difficulty of the task by the benchmark’s own labels, such as AgentBoard’s. Absent: it has none.',
      ),
    lacks: z
      .array(z.string())
      .exactOptional()
      .describe(
        'Missing requirements, because of which a run cannot select the task. Absent: a run can play it.',
      ),
  })
  .meta({ id: 'Task' })

export type TaskInfo = z.infer<typeof taskInfoSchema>

export const promptInfoSchema = z
  .object({
    id: z.string().describe('The name under which a run replaces this text, in `prompts`.'),
    purpose: z.string(),
    slots: z.array(z.string()).describe('Placeholders for the text, written as `{{slot}}`.'),
    text: z.string(),
  })
  .meta({ id: 'Prompt' })

export type PromptInfo = z.infer<typeof promptInfoSchema>

export const methodModuleSchema = z.object({
  file: z
    .string()
    .describe(
      'The path in `methods.json`, relative to the folder of that file; or a note that the caller’s process plays the method.',
    ),
  digest: z
    .string()
    .describe(
      'Digest of the file and of the files that it imports by relative paths: the version of the method.',
    ),
})

export type MethodModule = z.infer<typeof methodModuleSchema>

export const methodInfoSchema = z
  .object({
    id: z.string(),
    object: z.literal('method'),
    description: z.string(),
    source: z.string().describe('The paper, and the part of it that this method covers.'),
    module: methodModuleSchema
      .exactOptional()
      .describe('The code of an added method; absent for built-in methods.'),
    parameters: jsonObjectSchema.describe(
      'JSON Schema of the parameters, with their defaults; with `anyOf` if one parameter decides which others exist.',
    ),
    branches: z
      .boolean()
      .describe('True if it goes back to earlier states; not every environment supports that.'),
    roles: z
      .array(roleSchema)
      .describe('Roles that it can ask beside the policy, depending on its parameters.'),
    writes: z
      .enum(['memory', 'library'])
      .nullable()
      .describe(
        'The store in which its episodes keep lessons for each other and for later runs; null: none.',
      ),
    extendable: z
      .array(z.string())
      .describe('Parameters that can be raised when a run is extended, if its other parameters allow it.'),
    prompts: z.array(promptInfoSchema).describe('All prompt texts of the method.'),
  })
  .meta({ id: 'Method' })

export type MethodInfo = z.infer<typeof methodInfoSchema>

export const endpointOriginSchema = z.enum(['configured', 'api', 'served'])

export type EndpointOrigin = z.infer<typeof endpointOriginSchema>

export const endpointInfoSchema = z
  .object({
    id: z.string(),
    object: z.literal('endpoint'),
    kind: z.enum(['openai', 'openai-responses', 'anthropic', 'azure', 'simulated', 'served']),
    models: z.array(z.string()).describe('Models with prices; an endpoint may serve others.'),
    priced: z.boolean(),
    ready: z.boolean(),
    note: z
      .string()
      .nullable()
      .describe(
        'The missing setting if it is not ready, or a note that this is not known yet: listing endpoints reads no secret.',
      ),
    tokens: tokenSourceSchema
      .nullable()
      .exactOptional()
      .describe(
        'The configured source of token ids and log-probabilities, for runs that record tokens; null: none. Absent in answers of earlier versions.',
      ),
    origin: endpointOriginSchema
      .exactOptional()
      .describe('Absent in answers of earlier versions, whose endpoints are all configured.'),
  })
  .meta({ id: 'Endpoint' })

export type EndpointInfo = z.infer<typeof endpointInfoSchema>
