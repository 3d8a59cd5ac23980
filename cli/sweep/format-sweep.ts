import { formatCount, formatMoney, noNumber } from '../../shared/core/client/format-quantity.ts'
import { workWord } from '../../shared/core/client/status-words.ts'
import type { RunEstimate } from '../../shared/core/contracts/estimate.ts'
import { formatTable } from '../format-table.ts'
import { countEnded } from '../progress-line.ts'
import { isGoing, type PlayedCell } from './play-sweep.ts'
import { type Budget, spentBy } from './share-budget.ts'
import type { SweepCell } from './sweep-cells.ts'

const right = 'right' as const

export function formatSweep(cells: readonly PlayedCell[], budget: Budget, width: number): string[] {
  const columns = [
    { header: 'cell', flexible: 'wrap' as const },
    { header: 'run' },
    { header: 'status' },
    { header: 'episodes', align: right },
    { header: 'solved', align: right },
    { header: 'cost', align: right },
  ]
  const rows = cells.map(({ name, run }) =>
    run === null
      ? [name, noNumber, 'not started', noNumber, noNumber, noNumber]
      : [
          name,
          run.id,
          workWord(run.status),
          `${countEnded(run.episodes)}/${run.episodes.total}`,
          String(run.episodes.succeeded),
          formatMoney(run.usage.cost),
        ],
  )
  return [...formatTable(columns, rows, width), '', sweepLine(cells, budget)]
}

export function sweepLine(cells: readonly PlayedCell[], budget: Budget): string {
  const runs = cells.flatMap(({ run }) => run ?? [])
  const going = runs.filter(isGoing).length
  const { cost, tokens } = spentBy(runs)
  const ended = runs.reduce((sum, { episodes }) => sum + countEnded(episodes), 0)
  const total = runs.reduce((sum, { episodes }) => sum + episodes.total, 0)
  return [
    `${runs.filter(({ ended_at }) => ended_at !== null).length}/${cells.length} runs`,
    ...(going > 0 ? [`${going} going`] : []),
    `${ended}/${total} episodes`,
    formatMoney(cost) + (budget.cost === undefined ? '' : ` of ${formatMoney(budget.cost)}`),
    `${formatCount(tokens)}${budget.tokens === undefined ? '' : ` of ${formatCount(budget.tokens)}`} tokens`,
  ].join(' · ')
}

export function formatSweepPlan(
  planned: readonly { cell: SweepCell; estimate: RunEstimate | null }[],
  budget: Budget,
  width: number,
): string[] {
  const columns = [
    { header: 'cell', flexible: 'wrap' as const },
    { header: 'episodes', align: right },
    { header: 'calls', align: right },
    { header: 'tokens', align: right },
    { header: 'cost', align: right },
    { header: 'at most', align: right },
  ]
  const rows = planned.map(({ cell, estimate }) =>
    estimate === null
      ? [cell.name, 'has a run', noNumber, noNumber, noNumber, noNumber]
      : [
          cell.name,
          formatCount(estimate.episodes.expected),
          formatCount(estimate.model_calls.expected),
          formatCount(estimate.input_tokens.expected + estimate.output_tokens.expected),
          formatMoney(estimate.cost?.expected ?? null),
          formatMoney(estimate.cost?.at_most ?? null),
        ],
  )
  const { cost, episodes } = planTotals(planned.map(({ estimate }) => estimate))
  const cap = budget.cost === undefined ? '' : `; the budget is ${formatMoney(budget.cost)}`
  const total = `${planned.length} runs, ${formatCount(episodes)} episodes to play, ${formatMoney(cost)} expected${cap}.`
  return [...formatTable(columns, rows, width), '', total]
}

export function planTotals(estimates: readonly (RunEstimate | null)[]): {
  episodes: number
  cost: number | null
} {
  let episodes = 0
  let cost: number | null = 0
  for (const estimate of estimates) {
    if (estimate === null) continue
    episodes += estimate.episodes.expected
    cost = cost === null || estimate.cost === null ? null : cost + estimate.cost.expected
  }
  return { episodes, cost }
}
