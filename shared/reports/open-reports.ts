import { EspalierError } from '../contracts/errors.ts'
import type { Comparison, Report } from '../contracts/report.ts'
import type { Run } from '../contracts/run.ts'
import type { Runs } from '../engine/runs/runs.ts'
import { buildReport } from './build-report.ts'
import { compareRuns } from './compare-runs.ts'
import { listEpisodes } from './list-episodes.ts'

export interface Reports {
  /** @throws EspalierError `not_found` */
  report(run: string): Promise<Report>
  /** @throws EspalierError `not_found` with the run's place in the list, `invalid_request` for unlike environments. */
  compare(runs: string[]): Promise<Comparison>
}

/** Reports and comparisons over stored runs. `isSimulated` says whether an endpoint, by its name, is a simulated one. */
export function openReports(needs: {
  runs: Pick<Runs, 'get' | 'episodes'>
  isSimulated: (endpoint: string) => boolean
}): Reports {
  const { runs, isSimulated } = needs

  function simulated(run: Run): boolean {
    const { model, roles } = run.request
    // A role that names no endpoint asks that of the model.
    const endpoints = [model, ...Object.values(roles)].flatMap((choice) => choice?.endpoint ?? [])
    return endpoints.some(isSimulated)
  }

  async function getRun(id: string, index: number): Promise<Run> {
    try {
      return await runs.get(id)
    } catch (error) {
      if (!EspalierError.isInstance(error) || error.code !== 'not_found') throw error
      throw new EspalierError('not_found', error.message, { param: `runs[${index}]`, cause: error })
    }
  }

  return {
    async report(id) {
      const run = await runs.get(id)
      return buildReport(run, listEpisodes(runs, id), { simulated: simulated(run) })
    },
    async compare(ids) {
      const found = await Promise.all(ids.map(getRun))
      return compareRuns(
        found.map((run) => ({ run, episodes: listEpisodes(runs, run.id) })),
        { simulated: found.some(simulated) },
      )
    },
  }
}
