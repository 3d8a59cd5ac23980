import { EspalierError } from '../../core/contracts/errors.ts'
import type { Run } from '../../core/contracts/run.ts'
import type { TranscriptQuery } from '../../core/contracts/transcript-search.ts'
import type { Runs } from '../../core/engine/runs/runs.ts'
import type { SearchPlace } from './open-transcripts.ts'

export interface SearchedRuns {
  runs: Run[]
  more: boolean
  last: string | null
}

const mostRuns = 1000

/**
 * The runs of a search after the previous page: those that it names, or all that pass.
 * @throws EspalierError `not_found` for a run that it names
 */
export async function searchedRuns(
  runs: Pick<Runs, 'get' | 'list'>,
  query: TranscriptQuery,
  after: SearchPlace | null,
): Promise<SearchedRuns> {
  const { archived, environment, experiment, method, run: named, tag } = query
  const isOpen = (id: string) =>
    after === null || id < after.run || (id === after.run && after.place !== undefined)
  if (named !== undefined) {
    const ids = [...new Set(named)].sort().reverse()
    const found = await Promise.all(ids.map((id) => runs.get(id)))
    return { runs: found.filter((run) => isOpen(run.id) && passes(run, query)), more: false, last: null }
  }
  const filter = { archived, environment, experiment, method, tag }
  const begun = after?.place === undefined ? null : await find(runs, after.run)
  const first = begun !== null && passes(begun, { archived: 'false', ...query }) ? [begun] : []
  const { data, has_more, last_id } = await runs.list({
    ...filter,
    limit: mostRuns,
    after: after?.run,
  })
  return { runs: [...first, ...data], more: has_more, last: last_id }
}

async function find(runs: Pick<Runs, 'get'>, id: string): Promise<Run | null> {
  try {
    return await runs.get(id)
  } catch (error) {
    if (EspalierError.isInstance(error) && error.code === 'not_found') return null
    throw error
  }
}

function passes({ archived_at, request }: Run, query: TranscriptQuery): boolean {
  const { archived = 'any', environment, experiment, method, tag = [] } = query
  const has = (wanted: string | undefined, own: string | undefined) => wanted === undefined || wanted === own
  return (
    has(environment, request.environment) &&
    has(method, request.method.id) &&
    has(experiment, request.experiment) &&
    tag.every((each) => request.tags?.includes(each)) &&
    (archived === 'any' || (archived_at !== undefined) === (archived === 'true'))
  )
}
