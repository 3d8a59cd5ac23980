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
      'Names of tasks in the gym, without `browsergym/`, such as `miniwob.click-test`. Default: all.',
    ),
  seeds: z
    .tuple([z.int().nonnegative(), z.int().positive().max(mostSeeds)])
    .default([0, 5])
    .describe('Seeds of each task’s problems: the first (included) and the end (excluded).'),
})

const { max_sessions: _, deterministic: __, ...facts } = outsideFacts

export const browsergymRegistrationSchema = z.strictObject({
  kind: z.literal('browsergym'),
  benchmark: z
    .string()
    .regex(/^[a-z][a-z0-9_]*$/, 'must be what names of its tasks begin with, such as miniwob')
    .describe('Name of the benchmark. Its tasks have this name, or names that begin with it and a dot.'),
  module: pythonName
    .optional()
    .describe('Python module that registers the tasks on import. Default: browsergym.BENCHMARK.'),
  requirements: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Requirements file with the packages, relative to the folder of this file. Default: browsergym-core and browsergym-miniwob.',
    ),
  tasks: z
    .record(splitName, splitSchema)
    .default({ test: { seeds: [0, 5] } })
    .refine((splits) => Object.keys(splits).length > 0, 'Name at least one split.'),
  arguments: jsonObjectSchema.default({}).describe('Arguments for the creation of every task (task_kwargs).'),
  sites: z
    .array(z.string().regex(/^[A-Za-z0-9.-]+(?::\d+)?$/, 'must be a host, such as shop.example:7770'))
    .optional()
    .describe('Hosts that pages may reach. Default: none for miniwob, all for others.'),
  slow_mo: z
    .int()
    .nonnegative()
    .max(10_000)
    .optional()
    .describe("Delay of each browser operation in milliseconds. Default: the task's."),
  pre_observation_delay: z
    .number()
    .nonnegative()
    .max(60)
    .optional()
    .describe("Seconds between an action and its observation. Default: the gym's, 0.5."),
  deterministic: z
    .boolean()
    .optional()
    .describe(
      'True if the same actions always have the same results. Default: true if the gym declares it for all tasks here.',
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
      'Text observation of a page: its accessibility tree, its pruned HTML, or the tree with the marks of an attached screenshot.',
    ),
  screenshots: z
    .boolean()
    .default(false)
    .describe('True to attach a screenshot to each observation; som always attaches one.'),
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
