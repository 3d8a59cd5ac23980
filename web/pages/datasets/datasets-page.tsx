import { formatCount, noNumber } from '../../../shared/core/client/format-quantity.ts'
import { workWord } from '../../../shared/core/client/status-words.ts'
import type { Dataset } from '../../../shared/core/contracts/dataset.ts'
import { DatasetProgress } from '../../components/dataset-progress.tsx'
import { type ListColumn, ListPage } from '../../components/list-page.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { datasetAddress } from '../../format/addresses.ts'
import { isBuilding } from '../../format/describe-progress.ts'
import { describeSources } from '../../format/describe-sources.ts'
import { showControls } from '../../format/show-controls.ts'
import { api } from '../../service/api.ts'
import styles from './datasets-page.module.css'

export function DatasetsPage() {
  return (
    <ListPage
      entry="dataset"
      lead="Training rows made from runs and imported trajectories, in the format of the trainer at hand."
      ask={api.datasets}
      isChanging={isBuilding}
      addressOf={datasetAddress}
      columns={columns}
      verb="Build"
      command="espalier export latest --kind sft --format openai --out rows"
    >
      One run gives rows of many kinds: solved episodes to imitate, pairs of better and worse answers, revised
      mistakes, values of steps. Each row says which nodes of which tree it is from.
    </ListPage>
  )
}

const columns: readonly ListColumn<Dataset>[] = [
  {
    title: 'Kind and format',
    sort: ({ request: { format, kind } }) => `${kind} ${format}`,
    cell: ({ request: { format, kind } }) => (
      <>
        {kind}
        <span className={styles.small}>for {format}</span>
      </>
    ),
  },
  {
    title: 'Status',
    sort: ({ status }) => workWord(status),
    cell: (dataset) => <Status dataset={dataset} />,
  },
  {
    title: 'Rows',
    sort: ({ rows, status }) => (status === 'failed' ? null : rows),
    isNumber: true,
    cell: (dataset) => (
      <>
        {dataset.status === 'failed' ? noNumber : formatCount(dataset.rows)}
        <Splits dataset={dataset} />
      </>
    ),
  },
  {
    title: 'Tokens',
    sort: ({ tokens }) => tokens?.total ?? null,
    isNumber: true,
    cell: ({ tokens }) => (tokens === null ? noNumber : formatCount(tokens.total)),
  },
  {
    title: 'Made from',
    sort: ({ request }) => describeSources(request),
    cell: ({ request }) => describeSources(request),
  },
]

function Status({ dataset }: { dataset: Dataset }) {
  const { error, status } = dataset
  return (
    <div className={styles.status}>
      {isBuilding(dataset) ? (
        <DatasetProgress dataset={dataset} />
      ) : (
        <StatusBadge status={workWord(status)} />
      )}
      {status === 'failed' && error !== null && (
        <span className={styles.error} dir="auto">
          {showControls(error)}
        </span>
      )}
    </div>
  )
}

function Splits({ dataset: { request, splits } }: { dataset: Dataset }) {
  if (request.splits === undefined) return null
  return Object.entries(splits).map(([name, { rows }]) => (
    <span key={name} className={styles.small}>
      {name} {formatCount(rows)}
    </span>
  ))
}
