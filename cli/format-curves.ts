import {
  formatCount,
  formatEstimate,
  formatMoney,
  formatNumber,
  noNumber,
} from '../shared/core/client/format-quantity.ts'
import type { BudgetKind, Curve, Curves } from '../shared/core/contracts/curve.ts'
import { provenanceNotices } from '../shared/core/contracts/provenance.ts'
import { fold, wrap } from './fit-text.ts'
import { simulatedNotice } from './format-report.ts'
import { formatTable } from './format-table.ts'

const units: Record<BudgetKind, string> = { calls: 'calls', tokens: 'tokens', cost: 'dollars' }

const noTasks = 'No task has an episode with a reward in every run.'

export function formatCurves({ curves, over, shared_tasks, simulated }: Curves, width: number): string[] {
  const budgets = curves[0]?.points.map(({ budget }) => budget) ?? []
  const columns = [
    { header: units[over], align: 'right' as const },
    ...curves.map((curve) => ({ header: curve.name ?? curve.run, align: 'right' as const })),
  ]
  const rows = budgets.map((budget, index) => [
    over === 'cost' ? formatMoney(budget) : formatCount(budget),
    ...curves.map(({ points }) => {
      const point = points[index]
      return point === undefined ? noNumber : formatEstimate(point.success_rate)
    }),
  ])
  return [
    ...wrap(
      `success rate once an episode has spent so many ${units[over]} · ${shared_tasks} ${curves.length === 1 ? 'scored' : 'shared'} tasks · 95 % intervals`,
      width,
    ),
    '',
    ...(budgets.length === 0 ? [shared_tasks === 0 ? noTasks : noNumber] : formatTable(columns, rows, width)),
    '',
    ...curves.flatMap((curve) => fold(describe(curve), width)),
    '',
    ...provenanceNotices(curves).flatMap((notice) => wrap(notice, width)),
    ...(simulated ? wrap(simulatedNotice, width) : []),
  ]
}

function describe({ episodes, method, model, name, points, run, tasks }: Curve): string {
  const end = points.at(-1)
  const sample = episodes.read < episodes.scored ? `a sample of ${tasks} tasks, ` : ''
  const ended = end === undefined ? '' : `; in the end ${formatNumber(end.success_rate.mean)}`
  return `${name ?? run}: ${method}, ${model}, ${sample}${episodes.read} of ${episodes.scored} scored episodes read${ended}`
}
