import { z } from 'zod'
import { jsonObjectSchema } from '../../core/contracts/json.ts'
import { outsideFacts, splitName } from '../tools/outside-facts.ts'

const pythonName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_.]*$/, 'must be a name of Python')
const mostSeeds = 1000

const splitSchema = z.strictObject({
  names: z
    .array(z.string().min(1).max(200))
    .min(1)
    .optional()
    .describe(
      'Tasks as the gym calls them, without `browsergym/`, such as `miniwob.click-test`. Default: all.',
    ),
  seeds: z
    .tuple([z.int().nonnegative(), z.int().positive().max(mostSeeds)])
    .default([0, 5])
    .describe('The problems of each task: seeds from a number up to, and without, another.'),
})

const { max_sessions: _, deterministic: __, ...facts } = outsideFacts

export const browsergymRegistrationSchema = z.strictObject({
  kind: z.literal('browsergym'),
  benchmark: z
    .string()
    .regex(/^[a-z][a-z0-9_]*$/, 'must be what names of its tasks begin with, such as miniwob')
    .describe('Its tasks are those whose names begin with it and a dot, or are it.'),
  module: pythonName
    .optional()
    .describe('What registers the tasks when it is imported. Default: browsergym.BENCHMARK.'),
  requirements: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The packages, a requirements file from the folder of this file. Default: browsergym-core and browsergym-miniwob.',
    ),
  tasks: z
    .record(splitName, splitSchema)
    .default({ test: { seeds: [0, 5] } })
    .refine((splits) => Object.keys(splits).length > 0, 'Name at least one split.'),
  arguments: jsonObjectSchema.default({}).describe('What every task is made with (task_kwargs).'),
  sites: z
    .array(z.string().regex(/^[A-Za-z0-9.-]+(?::\d+)?$/, 'must be a host, such as shop.example:7770'))
    .optional()
    .describe('The hosts that pages may reach. Default: none for miniwob, and every one for others.'),
  slow_mo: z.int().nonnegative().max(10_000).optional().describe("Milliseconds. Default: the task's."),
  pre_observation_delay: z
    .number()
    .nonnegative()
    .max(60)
    .optional()
    .describe("Seconds between an action and what is seen. Default: the gym's, 0.5."),
  deterministic: z
    .boolean()
    .optional()
    .describe(
      'Whether the same actions always have the same answers. Default: whether the gym says so of all its tasks here.',
    ),
  ...facts,
})

export type BrowsergymRegistration = z.infer<typeof browsergymRegistrationSchema>

const subsets = [
  'chat',
  'infeas',
  'bid',
  'coord',
  'nav',
  'tab',
  'webarena',
  'visualwebarena',
  'workarena',
  'workarena++',
  'weblinx',
  'assistantbench',
  'miniwob_all',
  'miniwob_shi17',
  'miniwob_liu18',
  'miniwob_humphreys22',
] as const

export const browsergymOptions = z.strictObject({
  observation: z
    .enum(['axtree', 'html', 'som'])
    .default('axtree')
    .describe(
      'What is shown of a page as text: its accessibility tree, its pruned HTML, or the tree with what is marked on a screenshot that comes with it.',
    ),
  screenshots: z
    .boolean()
    .default(false)
    .describe('Whether a screenshot comes with each observation. With som one always does.'),
  action_subsets: z
    .array(z.enum(subsets))
    .min(1)
    .default(['bid'])
    .describe("Subsets of the gym's high-level actions."),
})

export const browsergymSettingsSchema = z.object({
  python: z.string(),
  module: z.string(),
  benchmark: z.string(),
  arguments: jsonObjectSchema,
  sites: z.array(z.string()).nullable(),
  slow_mo: z.number().exactOptional(),
  pre_observation_delay: z.number().exactOptional(),
})

export const browsergymSettingsFile = 'gym.json'
