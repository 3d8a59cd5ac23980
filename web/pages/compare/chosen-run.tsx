import type { UseQueryResult } from '@tanstack/react-query'
import { ArrowUpToLine, X } from 'lucide-react'
import type { ReactNode } from 'react'
import {
  formatCount,
  formatMoney,
  formatNumber,
  noNumber,
} from '../../../shared/core/client/format-quantity.ts'
import { workWord } from '../../../shared/core/client/status-words.ts'
import type { ComparedRun, Estimate } from '../../../shared/core/contracts/report.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import { showInterval, showNumber } from '../../charts/show-estimate.ts'
import { messageOf } from '../../components/error-state.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { showControls } from '../../format/show-controls.ts'
import { isMissing } from '../../service/refusal.ts'
import styles from './compare.module.css'
import { efforts } from './effort.ts'
import { formatAmount } from './format-figures.ts'
import { RunName } from './run-name.tsx'

const figureColumns = 11

export function ChosenRun({
  id,
  index,
  name,
  query,
  compared,
  isOnFront,
  onBaseline,
  onRemove,
}: {
  id: string
  index: number
  name: string
  query: UseQueryResult<Run>
  compared: ComparedRun | undefined
  isOnFront: boolean
  onBaseline: () => void
  onRemove: () => void
}) {
  const run = query.data
  const actions = (
    <td>
      <span className={styles.runActions}>
        {index > 0 && run && (
          <IconButton label={`Make ${name} the baseline`} onClick={onBaseline}>
            <ArrowUpToLine size={16} aria-hidden />
          </IconButton>
        )}
        <IconButton label={`Remove ${name}`} onClick={onRemove}>
          <X size={16} aria-hidden />
        </IconButton>
      </span>
    </td>
  )
  if (!run && query.error !== null) {
    return (
      <tr>
        <td colSpan={figureColumns + 1} className={styles.absentRun}>
          <strong dir="auto">{showControls(id)}</strong>
          {isMissing(query.error)
            ? ' is not there. Remove it to compare the others. '
            : ' could not be loaded: '}
          {messageOf(query.error)}
        </td>
        {actions}
      </tr>
    )
  }
  return (
    <tr>
      <th scope="row" className={styles.run}>
        <RunName index={index} name={name} run={id} />
        <RunNote run={run} isBaseline={index === 0} />
      </th>
      {compared ? <Figures compared={compared} run={run} isOnFront={isOnFront} /> : <NoFigures />}
      {actions}
    </tr>
  )
}

function RunNote({ run, isBaseline }: { run: Run | undefined; isBaseline: boolean }): ReactNode {
  if (!run) return <span className={styles.runNote}>loading …</span>
  const { method, model } = run.request
  return (
    <span className={styles.runNote}>
      {isBaseline && <strong>baseline</strong>}
      {run.status !== 'succeeded' && <StatusBadge status={workWord(run.status)} />}
      <span dir="auto">
        {method.id}, {showControls(model.id)}
      </span>
    </span>
  )
}

function Figures({
  compared,
  run,
  isOnFront,
}: {
  compared: ComparedRun
  run: Run | undefined
  isOnFront: boolean
}) {
  const { success_rate, reward, mean_steps, mean_path_length, cost_per_success, learning } = compared
  const money = (value: number | null) => (value === null ? 'no price' : formatMoney(value))
  return (
    <>
      <EstimateCell of={success_rate} format={formatNumber} />
      <EstimateCell of={reward} format={formatNumber} />
      <FigureCell value={mean_steps} format={formatAmount} />
      <FigureCell value={mean_path_length} format={formatAmount} />
      <EstimateCell of={efforts.calls.of(compared)} format={efforts.calls.format} />
      <EstimateCell of={efforts.tokens.of(compared)} format={efforts.tokens.format} />
      <EstimateCell of={efforts.cost.of(compared)} format={efforts.cost.format} />
      <FigureCell value={cost_per_success} format={efforts.cost.format} />
      <td className="number">{learning.model_calls === 0 ? 'none' : money(learning.cost)}</td>
      <td className="number">
        {formatCount(success_rate.count)}
        {run && (
          <span className={styles.figureInterval}>
            of {formatCount(run.episodes.total - run.learning_episodes)}
          </span>
        )}
      </td>
      <td>{isOnFront ? 'yes' : ''}</td>
    </>
  )
}

function NoFigures() {
  return Array.from({ length: figureColumns }, (_, column) => column).map((column) => (
    <td key={column} className="number">
      –<span className={styles.figureInterval}> </span>
    </td>
  ))
}

function EstimateCell({
  of: { mean, ci, tasks },
  format,
}: {
  of: Estimate
  format: (value: number) => string
}) {
  return (
    <td className="number">
      {mean === null ? noNumber : showNumber(mean, format)}
      {ci && (
        <span className={styles.figureInterval} title={`95 % interval (${ci.method}) over ${tasks} tasks`}>
          {showInterval(ci, format)}
        </span>
      )}
    </td>
  )
}

function FigureCell({ value, format }: { value: number | null; format: (value: number) => string }) {
  return <td className="number">{value === null ? noNumber : format(value)}</td>
}
