import { EspalierError } from '../contracts/errors.ts'
import type { Run } from '../contracts/run.ts'
import type { Runs } from '../engine/runs/runs.ts'

const runsAtOnce = 16

/** Throws, naming the place in the list, for a run that is unknown, named twice, or of which no episode has ended. */
export async function checkRuns(runs: Pick<Runs, 'get'>, ids: string[]): Promise<void> {
  const twice = ids.findIndex((id, index) => ids.indexOf(id) < index)
  if (twice !== -1) {
    throw new EspalierError('invalid_request', `The run "${ids[twice]}" is named twice. Name it once.`, {
      param: `runs[${twice}]`,
    })
  }
  for (let first = 0; first < ids.length; first += runsAtOnce) {
    const batch = ids.slice(first, first + runsAtOnce)
    await Promise.all(batch.map((id, index) => checkRun(runs, id, `runs[${first + index}]`)))
  }
}

async function checkRun(runs: Pick<Runs, 'get'>, id: string, param: string): Promise<void> {
  const run = await getRun(runs, id, param)
  const { succeeded, failed, limited, errored, cancelled } = run.episodes
  if (succeeded + failed + limited + errored + cancelled > 0) return
  throw new EspalierError(
    'invalid_state',
    `No episode of the run "${id}" has ended yet, so it has no rows to give. Wait for the first to end.`,
    { param },
  )
}

async function getRun(runs: Pick<Runs, 'get'>, id: string, param: string): Promise<Run> {
  try {
    return await runs.get(id)
  } catch (error) {
    if (!EspalierError.isInstance(error) || error.code !== 'not_found') throw error
    throw new EspalierError('not_found', error.message, { param, cause: error })
  }
}
