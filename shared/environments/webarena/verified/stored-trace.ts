import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { z } from 'zod'
import { EspalierError } from '../../../core/contracts/errors.ts'
import type { Trajectory } from '../../../core/contracts/trajectory.ts'
import { siteNameSchema } from '../site-names.ts'
import { networkEventSchema } from './network-trace.ts'
import { scoreVerified, type VerifiedScore } from './score-verified.ts'
import { verifiedTaskSchema } from './verified-task.ts'

/** Maximum characters of a stored trace: gzip of its JSON, as base64. */
export const largestTrace = 512 * 1024

const unpacked = { maxOutputLength: 64 * 1024 * 1024 }

// An HTTP Archive with the rest that a score depends on.
const storedTraceSchema = z.object({
  log: z.looseObject({
    version: z.string(),
    entries: z.array(networkEventSchema),
    _espalier: z.object({
      task: z.unknown(),
      sites: z.partialRecord(siteNameSchema, z.string()),
      response: z.string(),
      // Why the trace lacks requests. Null: it has all.
      incomplete: z.string().nullable(),
    }),
  }),
})

export type StoredTrace = z.infer<typeof storedTraceSchema>

/** @throws EspalierError `environment_failed` for a trace that is too large to store */
export async function packTrace(trace: StoredTrace): Promise<string> {
  const packed = (await promisify(gzip)(JSON.stringify(trace))).toString('base64')
  if (packed.length <= largestTrace) return packed
  throw unscored(`its network trace has ${packed.length} characters, and ${largestTrace} are kept`)
}

/** @throws EspalierError `environment_failed` for a text that is no trace */
export async function unpackTrace(packed: string): Promise<StoredTrace> {
  try {
    const bytes = await promisify(gunzip)(Buffer.from(packed, 'base64'), unpacked)
    return storedTraceSchema.parse(JSON.parse(bytes.toString('utf8')))
  } catch (error) {
    throw unscored(
      `its network trace cannot be read (${error instanceof Error ? error.message : String(error)})`,
    )
  }
}

/** @throws EspalierError `environment_failed` for an episode without a trace, or with one that lacks requests */
export async function wholeTrace({ steps }: Pick<Trajectory, 'steps'>): Promise<StoredTrace> {
  const packed = steps.at(-1)?.extra?.trace
  if (typeof packed !== 'string')
    throw unscored(
      'it keeps no network trace, so it ended without an answer, or its task is none of WebArena-Verified',
    )
  const trace = await unpackTrace(packed)
  checkWhole(trace)
  return trace
}

function checkWhole({ log }: StoredTrace): void {
  const { incomplete } = log._espalier
  if (incomplete !== null) throw unscored(`its network trace is incomplete: ${incomplete}`)
  if (log.entries.length === 0) throw unscored('its network trace has no request')
}

/** @throws EspalierError `environment_failed` for an incomplete trace, and for a task that cannot be evaluated */
export function scoreTrace(trace: StoredTrace): VerifiedScore {
  checkWhole(trace)
  const { log } = trace
  const { response, sites, task } = log._espalier
  return scoreVerified(verifiedTaskSchema.parse(task), { response, sites, events: log.entries })
}

function unscored(reason: string): EspalierError {
  return new EspalierError('environment_failed', `The episode cannot be scored: ${reason}. Play it again.`)
}
