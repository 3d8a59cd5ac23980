import { z } from 'zod'
import { EspalierError } from '../../core/contracts/errors.ts'
import { agentgymServers } from './agentgym-kinds.ts'

const rangeSchema = z
  .tuple([z.int().nonnegative(), z.int().positive().max(1_000_000)])
  .refine(([from, to]) => from < to, 'A range goes from its first number up to, and without, its second.')

export const agentgymRegistrationSchema = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,63}$/)
    .describe('Id of the environment in Espalier.'),
  server: z.enum(agentgymServers),
  address: z.url({ protocol: /^https?$/ }).describe('Address of the server with its base path.'),
  splits: z
    .record(z.string().regex(/^[a-z][a-z0-9-]{0,63}$/), z.array(rangeSchema).min(1))
    .refine((splits) => Object.keys(splits).length > 0, 'Name at least one split.')
    .refine((splits) => !overlap(Object.values(splits).flat()), 'No number may be in two ranges.')
    .optional()
    .describe('The tasks of each split, as ranges of `data_idx`. Default: all tasks of the public server.'),
  max_sessions: z
    .int()
    .positive()
    .max(10_000)
    .default(32)
    .describe('Maximum number of parallel sessions of one worker.'),
})

export type AgentgymRegistration = z.infer<typeof agentgymRegistrationSchema>

/**
 * Reads the server's number of a task.
 * @throws EspalierError `unknown_task`
 */
export function dataIndexOf(environment: string, task: string): number {
  const digits = task.startsWith(`${environment}-`) ? task.slice(environment.length + 1) : ''
  if (/^\d{5,7}$/.test(digits)) return Number(digits)
  throw new EspalierError(
    'unknown_task',
    `${environment} has no task "${task}". Its tasks are such as ${environment}-00000; list its tasks to see them all.`,
    { param: 'tasks.ids' },
  )
}

function overlap(ranges: readonly (readonly [number, number])[]): boolean {
  const sorted = ranges.toSorted(([one], [other]) => one - other)
  return sorted.some(([from], index) => index > 0 && from < (sorted[index - 1]?.[1] ?? 0))
}
