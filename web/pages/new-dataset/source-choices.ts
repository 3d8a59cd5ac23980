import { formatCount } from '../../../shared/core/client/format-quantity.ts'
import { episodeStatusWord, workWord } from '../../../shared/core/client/status-words.ts'
import { asksAModel } from '../../../shared/core/contracts/annotated-dataset.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import type { TrajectoryImport } from '../../../shared/core/contracts/trajectory-import.ts'
import type { SourceChoice } from '../../components/form/search-choices.ts'
import { countOf } from '../../format/count-of.ts'
import { countEnded } from '../../service/follow-run.ts'

export function offeredRuns(runs: readonly Run[]): SourceChoice[] {
  return runs.filter((run) => !asksAModel(run)).map(runChoice)
}

function runChoice({ created_at, episodes, id, request, status }: Run): SourceChoice {
  const { succeeded, total } = episodes
  const about = [
    `${request.method.id} on ${request.environment}`,
    request.tasks?.split === undefined ? null : `split ${request.tasks.split}`,
    `${formatCount(succeeded)} of ${formatCount(total)} ${episodeStatusWord('succeeded')}`,
    status === 'succeeded' ? null : workWord(status),
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
