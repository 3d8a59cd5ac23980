import { z } from 'zod'
import { EspalierError } from '../../contracts/errors.ts'
import type { EnvironmentTask, HostedEnvironment } from '../environment.ts'
import { agentgymGuides } from './agentgym-guides.ts'
import { agentgymKinds, agentgymServers } from './agentgym-kinds.ts'

/** Of a range `[from, to]`, the numbers from `from` up to, and without, `to`. */
const rangeSchema = z
  .tuple([z.int().nonnegative(), z.int().positive().max(1_000_000)])
  .refine(([from, to]) => from < to, 'A range goes from its first number up to, and without, its second.')

/** An AgentGym server, as an administrator registers it. */
export const agentgymRegistrationSchema = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,63}$/)
    .describe('What the environment is called here.'),
  server: z.enum(agentgymServers),
  address: z
    .url({ protocol: /^https?$/ })
    .describe('Where the server is, with the path that it stands under.'),
  splits: z
    .record(z.string().regex(/^[a-z][a-z0-9-]{0,63}$/), z.array(rangeSchema).min(1))
    .refine((splits) => Object.keys(splits).length > 0, 'Name at least one split.')
    .refine((splits) => !overlap(Object.values(splits).flat()), 'No number may be in two ranges.')
    .optional()
    .describe(
      'The tasks of each split, as ranges of `data_idx`. All that the public server has, unless given.',
    ),
  max_sessions: z.int().positive().max(10_000).default(32).describe('Sessions at once, of one worker.'),
})

export type AgentgymRegistration = z.infer<typeof agentgymRegistrationSchema>

/**
 * The environment behind an AgentGym server. Its tasks are the server's, by number: `{id}-00042` is `data_idx` 42. Which
 * task that is, the server decides: TextCraft numbers its goals anew on another disk, and in another process shows other
 * distractors, so a run's tasks compare only with those of the same server.
 *
 * @example
 * const environment = openAgentgymEnvironment({ id: 'lab-textcraft', server: 'textcraft', address: 'http://lab:36001',
 *   splits: { train: [[100, 544]], test: [[0, 100]] }, max_sessions: 32 })
 */
export function openAgentgymEnvironment(registration: AgentgymRegistration): HostedEnvironment {
  const { id, server, address, max_sessions } = registration
  const { description, deterministic, default_max_steps, tasks: count } = agentgymKinds[server]
  const splits = registration.splits ?? { all: [[0, count]] }
  const tasks = Object.entries(splits).flatMap(([split, ranges]) =>
    ranges.flatMap(([from, to]) =>
      Array.from({ length: to - from }, (_, position): EnvironmentTask => {
        const index = from + position
        return {
          id: `${id}-${String(index).padStart(5, '0')}`,
          split,
          type: server === 'babyai' ? `level-${(index % 40) + 1}` : server,
          description: `Game ${index} of an AgentGym server for ${server}.`,
        }
      }),
    ),
  )
  return {
    id,
    description: `${description} Played on an AgentGym server.`,
    snapshot: 'replay',
    deterministic,
    success_threshold: 1,
    default_max_steps,
    tasks: () => tasks,
    describe: () => agentgymGuides[server],
    host: { kind: 'agentgym', server, address, max_sessions },
  }
}

/**
 * The server's number of a task.
 *
 * @throws EspalierError `unknown_task`
 */
export function dataIndexOf(environment: string, task: string): number {
  const digits = task.startsWith(`${environment}-`) ? task.slice(environment.length + 1) : ''
  if (/^\d{5,7}$/.test(digits)) return Number(digits)
  throw new EspalierError(
    'unknown_task',
    `${environment} has no task "${task}". Its tasks are such as ${environment}-00000; GET /v1/environments/${environment}/tasks lists them all.`,
    { param: 'tasks.ids' },
  )
}

function overlap(ranges: readonly (readonly [number, number])[]): boolean {
  const sorted = ranges.toSorted(([one], [other]) => one - other)
  return sorted.some(([from], index) => index > 0 && from < (sorted[index - 1]?.[1] ?? 0))
}
