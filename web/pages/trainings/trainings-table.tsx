import { Link } from 'react-router'
import { formatMoney, formatNumber, noNumber } from '../../../shared/core/client/format-quantity.ts'
import { workWord } from '../../../shared/core/client/status-words.ts'
import type { Training } from '../../../shared/core/contracts/training.ts'
import { Column } from '../../components/column.tsx'
import { NameCell } from '../../components/name-cell.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Table } from '../../components/table.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { TrainingProgress } from '../../components/training-progress.tsx'
import { modelAddress, trainingAddress } from '../../format/addresses.ts'
import { countOf } from '../../format/count-of.ts'
import { isTraining } from '../../format/describe-training.ts'
import { nameBase } from '../../format/name-base.ts'
import { showControls } from '../../format/show-controls.ts'

export function TrainingsTable({ trainings }: { trainings: readonly Training[] }) {
  return (
    <Table isFramed label="Trainings">
      <thead>
        <tr>
          <Column>Training</Column>
          <Column>Recipe and base</Column>
          <Column>Status</Column>
          <Column isNumber>Loss</Column>
          <Column isNumber>Accuracy</Column>
          <Column isNumber>Cost</Column>
          <Column>Model</Column>
          <Column>Created</Column>
        </tr>
      </thead>
      <tbody>
        {trainings.map((training) => (
          <Row key={training.id} training={training} />
        ))}
      </tbody>
    </Table>
  )
}

function Row({ training }: { training: Training }) {
  const { created_at, id, metrics, model, name, request, status, usage } = training
  return (
    <tr>
      <NameCell id={id} name={name} to={trainingAddress(id)} />
      <td>
        {request.recipe} from {countOf(request.datasets.length, 'dataset')}
        <div className="soft" dir="auto">
          on {showControls(nameBase(request.base))}
        </div>
      </td>
      <td>
        {isTraining(training) ? (
          <TrainingProgress training={training} />
        ) : (
          <StatusBadge status={workWord(status)} />
        )}
      </td>
      <td className="number">{formatNumber(metrics?.loss ?? null, 4)}</td>
      <td className="number">{formatNumber(metrics?.accuracy ?? null, 3)}</td>
      <td className="number">{formatMoney(usage.cost)}</td>
      <td>
        {model === null ? (
          noNumber
        ) : (
          <Link to={modelAddress(model)} className="identifier">
            {model}
          </Link>
        )}
      </td>
      <td>
        <TimeAgo at={created_at} />
      </td>
    </tr>
  )
}
