import { formatCount } from '../../../shared/client/format-quantity.ts'
import { annotatedDataset } from '../../../shared/contracts/annotated-dataset.ts'
import type { Run } from '../../../shared/contracts/run.ts'
import type { TrajectoryImport } from '../../../shared/contracts/trajectory-import.ts'
import { countOf } from '../../format/count-of.ts'
import { countEnded } from '../../service/follow-run.ts'

/** A run or an import as it is offered. */
export interface SourceChoice {
  id: string
  name: string | null
  /** Null where nothing is known of it but its id. */
  created_at: string | null
  /** What it is of, in a line. */
  about: string
  /** Why it has nothing to give yet; null where it has. */
  unready: string | null
}

/** Runs to make rows from: those that ask a model for a dataset have played nothing. */
export function offeredRuns(runs: readonly Run[]): SourceChoice[] {
  return runs.filter((run) => annotatedDataset(run) === null).map(runChoice)
}

function runChoice({ created_at, episodes, id, request, status }: Run): SourceChoice {
  const { succeeded, total } = episodes
  const about = [
    `${request.method.id} on ${request.environment}`,
    request.tasks?.split === undefined ? null : `split ${request.tasks.split}`,
    `${formatCount(succeeded)} of ${formatCount(total)} solved`,
    status === 'succeeded' ? null : status,
  ]
  return {
    id,
    name: request.name ?? null,
    created_at,
    about: about.filter((part) => part !== null).join(', '),
    unready: countEnded(episodes) > 0 ? null : 'no episode has ended yet',
  }
}

export function importChoice({ created_at, id, name, status, trajectories }: TrajectoryImport): SourceChoice {
  return {
    id,
    name,
    created_at,
    about: countOf(trajectories, 'imported trajectory', 'imported trajectories'),
    unready: status === 'complete' ? null : 'rows are still to come',
  }
}

/** Those of which every word of the search is said somewhere, the chosen ones always and first. */
export function searchChoices(
  choices: readonly SourceChoice[],
  chosen: readonly string[],
  search: string,
): SourceChoice[] {
  const words = search.toLowerCase().split(/\s+/)
  const known = new Set(choices.map(({ id }) => id))
  const unknown = chosen
    .filter((id) => !known.has(id))
    .map(
      (id): SourceChoice => ({
        id,
        name: null,
        created_at: null,
        about: 'not among the newest',
        unready: null,
      }),
    )
  const own = choices.filter(({ id }) => chosen.includes(id))
  const others = choices.filter(
    ({ about, id, name }) =>
      !chosen.includes(id) &&
      words.every((word) => `${id} ${name ?? ''} ${about}`.toLowerCase().includes(word)),
  )
  return [...unknown, ...own, ...others]
}
