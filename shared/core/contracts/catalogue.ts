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
    .describe('The least and the most reward that a step may answer. Absent: any finite number.'),
  max_observation_bytes: z
    .int()
    .positive()
    .max(16 * 1024 * 1024)
    .exactOptional()
    .describe('Bytes that an observation may have. Absent: 2 MiB.'),
}

export const isolationLimits = {
  step_time_limit: z
    .number()
    .positive()
    .max(100)
    .exactOptional()
    .describe('Seconds that a reset or a step may take, of an environment in a module. Absent there: 30.'),
  memory_limit_mb: z
    .int()
    .min(32)
    .max(65_536)
    .exactOptional()
    .describe('Megabytes of heap of each process that plays an environment in a module. Absent there: 512.'),
}

export const generatorInfoSchema = z
  .object({
    id: z.string(),
    version: z.int().describe('The newest: tasks of a version are the same for ever.'),
    description: z.string(),
    bounds: jsonObjectSchema.describe(
      'JSON Schema of the bounds on its tasks, with the defaults; a request has them beside `count`.',
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
        'Where its agent acts: in texts, on web pages, on a whole computer, or on a server whose tools it calls.',
      ),
    tools: z
      .array(z.string())
      .describe(
        'The tools that its first task declares, by name; empty: agents that call tools call `act` with an action text.',
      ),
    roles: z
      .array(questionRoleSchema)
      .exactOptional()
      .describe('Whom it may have asked, as its tasks and options decide: runs name them. Absent: no model.'),
    hosting: z
      .enum(['worker', 'host'])
      .describe('Default host of the environment if a run names none: inside the workers, or on hosts only.'),
    data: z
      .string()
      .nullable()
      .describe('The digest of the data pack that its tasks are from; null: they come along with it.'),
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
    max_steps: z.int().optional().describe('Its own default of the longest trajectory.'),
    min_steps: z
      .int()
      .optional()
      .describe('No solution has fewer steps; above the longest trajectory, the task cannot be solved.'),
    level: taskLevelSchema
      .exactOptional()
      .describe('Its level in the benchmark’s own labels, as AgentBoard’s. Absent: it has none.'),
    lacks: z
      .array(z.string())
      .exactOptional()
      .describe('Its missing requirements: a run cannot select it. Absent: a run can play it.'),
  })
  .meta({ id: 'Task' })

export type TaskInfo = z.infer<typeof taskInfoSchema>

export const promptInfoSchema = z
  .object({
    id: z.string().describe('Under which name a run puts its own text in its place, in `prompts`.'),
    purpose: z.string(),
    slots: z.array(z.string()).describe('Slots for the text to fill in, as `{{slot}}`.'),
    text: z.string(),
  })
  .meta({ id: 'Prompt' })

export type PromptInfo = z.infer<typeof promptInfoSchema>

export const methodModuleSchema = z.object({
  file: z
    .string()
    .describe(
      'As `methods.json` names it, from the folder of that file; or a note that the process of its caller plays it.',
    ),
  digest: z
    .string()
    .describe('Of the file, and of the files that it imports by relative paths: its version.'),
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
      .describe('The code of an added method; absent for those that come with Espalier.'),
    parameters: jsonObjectSchema.describe(
      'JSON Schema of the parameters, with their defaults; with `anyOf` if one of them decides which others there are.',
    ),
    branches: z
      .boolean()
      .describe('True if it goes back to earlier states; not every environment supports that.'),
    roles: z.array(roleSchema).describe('Whom it can ask beside the policy, as its parameters decide.'),
    writes: z
      .enum(['memory', 'library'])
      .nullable()
      .describe('The form in which its episodes learn for each other and for later runs.'),
    extendable: z
      .array(z.string())
      .describe('Parameters that extending a run can raise, as far as its other parameters allow it.'),
    prompts: z.array(promptInfoSchema).describe('Every text that it shows.'),
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
      .describe('The missing part if it is not ready, or not known yet: listing endpoints reads no secret.'),
    tokens: tokenSourceSchema
      .nullable()
      .exactOptional()
      .describe(
        'The source of its tokens, as configured, for runs that record them; null: it gives none. Absent in answers of earlier versions.',
      ),
    origin: endpointOriginSchema
      .exactOptional()
      .describe('Absent in answers of earlier versions, whose endpoints are all configured.'),
  })
  .meta({ id: 'Endpoint' })

export type EndpointInfo = z.infer<typeof endpointInfoSchema>
