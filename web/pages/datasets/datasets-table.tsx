import { formatCount, noNumber } from '../../../shared/core/client/format-quantity.ts'
import { workWord } from '../../../shared/core/client/status-words.ts'
import type { Dataset } from '../../../shared/core/contracts/dataset.ts'
import { Column } from '../../components/column.tsx'
import { DatasetProgress } from '../../components/dataset-progress.tsx'
import { NameCell } from '../../components/name-cell.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Table } from '../../components/table.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { datasetAddress } from '../../format/addresses.ts'
import { countOf } from '../../format/count-of.ts'
import { isBuilding } from '../../format/describe-progress.ts'
import { showControls } from '../../format/show-controls.ts'
import styles from './datasets-table.module.css'

export function DatasetsTable({ datasets }: { datasets: readonly Dataset[] }) {
  return (
    <Table isFramed label="Datasets">
      <thead>
        <tr>
          <Column>Dataset</Column>
          <Column>Kind and format</Column>
          <Column>Status</Column>
          <Column isNumber>Rows</Column>
          <Column isNumber>Tokens</Column>
          <Column>Made from</Column>
          <Column>Created</Column>
        </tr>
      </thead>
      <tbody>
        {datasets.map((dataset) => (
          <Row key={dataset.id} dataset={dataset} />
        ))}
      </tbody>
    </Table>
  )
}

function Row({ dataset }: { dataset: Dataset }) {
  const { created_at, error, id, name, request, rows, status, tokens } = dataset
  return (
    <tr>
      <NameCell id={id} name={name} to={datasetAddress(id)} />
      <td>
        {request.kind}
        <span className={styles.small}>for {request.format}</span>
      </td>
      <td className={styles.status}>
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
      </td>
      <td className="number">
        {status === 'failed' ? noNumber : formatCount(rows)}
        <Splits dataset={dataset} />
      </td>
      <td className="number">{tokens === null ? noNumber : formatCount(tokens.total)}</td>
      <td>{describeSources(request)}</td>
      <td className={styles.created}>
        <TimeAgo at={created_at} />
      </td>
    </tr>
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

export function describeSources({
  experts,
  runs,
  trajectories,
}: Pick<Dataset['request'], 'experts' | 'runs' | 'trajectories'>): string {
  return [count(runs, 'run'), count(trajectories, 'import'), count(experts, 'expert')]
    .filter((text) => text !== null)
    .join(', ')
}

function count(sources: readonly string[], name: string): string | null {
  if (sources.length === 0) return null
  return countOf(sources.length, name)
}
