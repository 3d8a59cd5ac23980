import { workWord } from '../../../shared/core/client/status-words.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import type { ListedColumn } from '../../components/list/column-view.ts'
import type { SortValue } from '../../components/list/list-order.ts'
import { runName } from '../../format/run-name.ts'

export interface RunColumn extends ListedColumn {
  sort?: (run: Run) => SortValue
}

export const runColumns: readonly RunColumn[] = [
  { name: 'Compare', isUnseen: true, width: 3 },
  { name: 'Run', isKept: true, width: 15, sort: runName },
  { name: 'Status', width: 9, sort: ({ status }) => workWord(status) },
  { name: 'Episodes', isNumber: true, width: 7, sort: ({ episodes }) => episodes.total },
  {
    name: 'Success',
    hint: 'Sorted by the share of the scored episodes that were solved',
    isNumber: true,
    width: 11,
    sort: solvedShare,
  },
  { name: 'Environment', width: 11, sort: ({ request }) => request.environment },
  { name: 'Method', width: 12, sort: ({ request }) => request.method.id },
  { name: 'Model', width: 10, sort: ({ request }) => request.model.id },
  { name: 'Cost', isNumber: true, width: 9, sort: ({ usage }) => usage.cost },
  { name: 'Created', width: 7, sort: ({ created_at }) => created_at },
]

// The share that a run’s counts give without its report; null before its first score.
export function solvedShare(run: Pick<Run, 'episodes'>): number | null {
  const { failed, limited, succeeded } = run.episodes
  return hasScored(run) ? succeeded / (succeeded + failed + limited) : null
}

export function hasScored({ episodes: { failed, limited, succeeded } }: Pick<Run, 'episodes'>): boolean {
  return succeeded + failed + limited > 0
}
