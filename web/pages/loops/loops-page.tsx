import { formatMoney, noNumber } from '../../../shared/core/client/format-quantity.ts'
import { workWord } from '../../../shared/core/client/status-words.ts'
import { exampleEnvironment } from '../../../shared/core/contracts/example-environment.ts'
import type { Loop } from '../../../shared/core/contracts/loop.ts'
import { type ListColumn, ListPage } from '../../components/list-page.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { loopAddress } from '../../format/addresses.ts'
import { api } from '../../service/api.ts'

export function LoopsPage() {
  return (
    <ListPage
      entry="loop"
      lead="Rounds of exploration, dataset, training, serving and evaluation that make a model better."
      ask={api.loops}
      isChanging={isGoing}
      addressOf={loopAddress}
      columns={columns}
      verb="Begin"
      command={`espalier loop eto --environment ${exampleEnvironment} --base ./model --expert IMPORT --max-cost 20`}
    >
      Its rounds, with intervals against the start and a control, are shown here. It needs a base model, a
      folder of weights, and for most recipes an import of experts.
    </ListPage>
  )
}

export function isGoing({ status }: Pick<Loop, 'status'>): boolean {
  return status === 'queued' || status === 'running'
}

const columns: readonly ListColumn<Loop>[] = [
  { title: 'Recipe', sort: ({ request }) => request.recipe, cell: ({ request }) => request.recipe },
  {
    title: 'Environment',
    sort: ({ request }) => request.environment,
    cell: ({ request }) => request.environment,
  },
  {
    title: 'Status',
    sort: ({ status }) => workWord(status),
    cell: ({ status }) => <StatusBadge status={workWord(status)} />,
  },
  {
    title: 'Round',
    isNumber: true,
    sort: ({ progress }) => progress.round,
    cell: ({ progress }) => `${progress.round} of ${progress.rounds}`,
  },
  {
    title: 'Best',
    sort: ({ best }) => best?.round ?? null,
    cell: ({ best }) => (best === null ? noNumber : `round ${best.round}`),
  },
  {
    title: 'Cost',
    isNumber: true,
    sort: ({ usage }) => usage.cost,
    cell: ({ usage }) => formatMoney(usage.cost),
  },
]
