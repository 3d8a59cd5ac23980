import { formatMoney } from '../../../shared/core/client/format-quantity.ts'
import { workWord } from '../../../shared/core/client/status-words.ts'
import { exampleEnvironment } from '../../../shared/core/contracts/example-environment.ts'
import type { RolloutRun } from '../../../shared/core/contracts/rollout.ts'
import { type ListColumn, ListPage } from '../../components/list-page.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { rolloutAddress } from '../../format/addresses.ts'
import { showControls } from '../../format/show-controls.ts'
import { api } from '../../service/api.ts'
import { isGoingOn } from '../../service/follow-run.ts'

export function RolloutsPage() {
  return (
    <ListPage
      entry="rollout"
      lead="Groups of episodes that a trainer asks for, delivered as they end."
      ask={api.rollouts}
      isChanging={isGoingOn}
      addressOf={rolloutAddress}
      columns={columns}
      command={`espalier rollouts start --environment ${exampleEnvironment} --method react --model simulated --record text --limit 4`}
    >
      A trainer begins one, with the Python client for example. Its rewards, entropy and policy lag are shown
      here.
    </ListPage>
  )
}

const columns: readonly ListColumn<RolloutRun>[] = [
  {
    title: 'Status',
    sort: ({ status }) => workWord(status),
    cell: ({ status }) => <StatusBadge status={workWord(status)} />,
  },
  {
    title: 'Policy',
    sort: ({ version }) => version,
    cell: ({ version }) => <span dir="auto">{showControls(version)}</span>,
  },
  {
    title: 'Groups',
    isNumber: true,
    sort: ({ groups }) => groups.finished,
    cell: ({ groups }) => `${groups.finished} of ${groups.total}`,
  },
  {
    title: 'Members',
    isNumber: true,
    sort: ({ group_size }) => group_size,
    cell: ({ group_size }) => group_size,
  },
  {
    title: 'Cost',
    isNumber: true,
    sort: ({ usage }) => usage.cost,
    cell: ({ usage }) => formatMoney(usage.cost),
  },
]
