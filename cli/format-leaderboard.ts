import {
  formatCount,
  formatDifference,
  formatEstimate,
  formatMoney,
  formatNumber,
  noNumber,
} from '../shared/core/client/format-quantity.ts'
import { abilitySchema } from '../shared/core/contracts/ability.ts'
import type { Leaderboard, LeaderboardCell } from '../shared/core/contracts/leaderboard.ts'
import { writePValue } from '../shared/core/contracts/p-value.ts'
import { isComparableEverywhere } from '../shared/core/contracts/ranked-cells.ts'
import { wrap } from './fit-text.ts'
import { formatTable } from './format-table.ts'

const right = 'right' as const

const level = 0.05

export function formatLeaderboard(leaderboard: Leaderboard, width: number): string[] {
  const { environments, simulated } = leaderboard
  return [
    ...(simulated ? ['Numbers of the simulated model prove plumbing, not quality.', ''] : []),
    ...environments.flatMap((environment, at) => [
      ...(at > 0 ? [''] : []),
      ...environmentLines(leaderboard, environment, width),
    ]),
    ...(environments.length > 1 ? ['', ...averageLines(leaderboard, width)] : []),
    ...abilityLines(leaderboard, width),
    '',
    ...testLines(leaderboard, width),
  ]
}

function environmentLines(
  { cells, entries }: Leaderboard,
  { id, label, tasks }: Leaderboard['environments'][number],
  width: number,
): string[] {
  const own = entries.flatMap((entry) => {
    const cell = cells.find((each) => each.entry === entry.id && each.environment === id)
    return cell === undefined ? [] : [{ entry, cell }]
  })
  const columns = [
    { header: 'method', flexible: 'wrap' as const },
    { header: 'model' },
    { header: 'runs', align: right },
    { header: 'scored', align: right },
    { header: 'success', align: right },
    { header: 'reward', align: right },
    { header: 'calls', align: right },
    { header: 'cost', align: right },
    { header: '' },
  ]
  const rows = own.map(({ cell, entry }) => [
    entry.label,
    entry.model,
    String(cell.runs.length),
    `${formatCount(cell.scored)}/${formatCount(cell.episodes)}`,
    formatEstimate(cell.success_rate),
    formatNumber(cell.reward.mean),
    formatNumber(cell.mean_model_calls.mean, 1),
    formatMoney(cell.mean_cost.mean),
    markOf(cell),
  ])
  const notes = own.flatMap(({ cell, entry }) =>
    cell.note === null ? [] : wrap(`${entry.label}: ${cell.note}`, width),
  )
  return [
    `${label}, ${tasks} tasks (means per episode; *: on the front of success and cost)`,
    ...formatTable(columns, rows, width),
    ...notes,
  ]
}

function markOf({ comparable, on_front, unscored_tasks }: LeaderboardCell): string {
  if (!comparable) return 'other tasks'
  if (unscored_tasks > 0) return 'tasks unscored'
  return on_front ? '*' : ''
}

function abilityLines({ abilities, entries }: Leaderboard, width: number): string[] {
  if (abilities === undefined || abilities.environments.length < 2) return []
  const columns = [
    { header: 'method', flexible: 'wrap' as const },
    { header: 'model' },
    ...abilitySchema.options.map((ability) => ({ header: ability.replaceAll('_', ' '), align: right })),
  ]
  const rows = entries.map(({ id, label, model }) => {
    const scores = abilities.scores.find(({ entry }) => entry === id)?.abilities ?? null
    return [
      label,
      model,
      ...abilitySchema.options.map((ability) => formatNumber(scores?.[ability] ?? null, 1)),
    ]
  })
  const missing = abilities.missing === 0 ? '' : `; ${abilities.missing} of AgentBoard’s nine are missing`
  return [
    '',
    ...wrap(`Abilities, 0 to 100, over ${abilities.environments.join(', ')}${missing}`, width),
    ...formatTable(columns, rows, width),
  ]
}

function averageLines(leaderboard: Leaderboard, width: number): string[] {
  const columns = [
    { header: 'method', flexible: 'wrap' as const },
    { header: 'model' },
    { header: 'success', align: right },
    { header: 'cost', align: right },
    { header: '' },
  ]
  const rows = leaderboard.entries.map(({ average, id, label, model }) =>
    average === null
      ? [
          label,
          model,
          noNumber,
          noNumber,
          isComparableEverywhere(leaderboard, id) ? 'tasks without a reward' : 'not in every environment',
        ]
      : [
          label,
          model,
          formatEstimate(average.success_rate),
          formatMoney(average.mean_cost),
          average.on_front ? '*' : '',
        ],
  )
  return ['Average of the environments', ...formatTable(columns, rows, width)]
}

function testLines({ entries, environments, tests }: Leaderboard, width: number): string[] {
  if (tests.length === 0) return ['No two methods play the same tasks: nothing is compared.']
  const nameOf = (id: string) => {
    const entry = entries.find((each) => each.id === id)
    const isTwin = entries.filter(({ label }) => label === entry?.label).length > 1
    return `${entry?.label ?? id}${isTwin ? ` with ${entry?.model}` : ''}`
  }
  const placeOf = (id: string) => environments.find((each) => each.id === id)?.label ?? id
  const found = tests.filter(({ adjusted_p }) => adjusted_p !== null && adjusted_p < level)
  const head = `${tests.length} paired tests, corrected by Holm; ${found.length === 0 ? 'no difference holds' : `these ${found.length} hold`} at ${level}.`
  const lines = found.flatMap(({ adjusted_p, against, entry, environment, shared_tasks, success_rate }) =>
    wrap(
      `${placeOf(environment)}: ${nameOf(entry)} against ${nameOf(against)}: ${formatDifference(success_rate)} on ${shared_tasks} tasks, p = ${writePValue(adjusted_p as number)}`,
      width,
    ),
  )
  return [...wrap(head, width), ...lines]
}
