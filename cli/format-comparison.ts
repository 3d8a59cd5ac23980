import {
  formatCount,
  formatDifference,
  formatEstimate,
  formatMoney,
  formatNumber,
  noNumber,
} from '../shared/core/client/format-quantity.ts'
import { writePValue } from '../shared/core/contracts/p-value.ts'
import { describePassportDifference, passportHeading } from '../shared/core/contracts/passport.ts'
import { provenanceNotices } from '../shared/core/contracts/provenance.ts'
import type { ComparedRun, Comparison, Estimate } from '../shared/core/contracts/report.ts'
import { fold, wrap } from './fit-text.ts'
import { answerWarningLines, simulatedNotice } from './format-report.ts'
import { formatTable } from './format-table.ts'

const right = 'right' as const

const group = 'mean per episode'

const perEpisode = [
  { header: 'steps', cell: (run: ComparedRun) => formatNumber(run.mean_steps, 1) },
  { header: 'path', cell: (run: ComparedRun) => formatNumber(run.mean_path_length, 1) },
  { header: 'calls', cell: (run: ComparedRun) => formatNumber(run.mean_model_calls.mean, 1) },
  { header: 'tokens', cell: (run: ComparedRun) => formatMeanCount(run.mean_tokens.mean) },
  { header: 'cost', cell: (run: ComparedRun) => formatMeanCost(run) },
].map((column) => ({ ...column, align: right, group }))

export function formatComparison(comparison: Comparison, width: number): string[] {
  const { runs } = comparison
  const models = new Set(runs.map((run) => run.model))
  const columns: {
    header: string
    align?: 'right'
    flexible?: boolean
    group?: string
    cell: (run: ComparedRun) => string
  }[] = [
    { header: 'run', flexible: true, cell: (run) => run.name ?? run.run },
    { header: 'method', cell: (run) => run.method },
    ...(models.size > 1 ? [{ header: 'model', cell: (run: ComparedRun) => run.model }] : []),
    { header: 'success rate', align: right, cell: (run) => formatEstimate(run.success_rate) },
    { header: 'mean reward', align: right, cell: (run) => formatEstimate(run.reward) },
    ...perEpisode,
    { header: 'per success', align: right, cell: costPerSuccess },
  ]
  const table = formatTable(
    columns,
    runs.map((run) => columns.map(({ cell }) => cell(run))),
    width,
  )
  const heading = [
    `${comparison.shared_tasks} shared tasks`,
    ...(models.size === 1 ? [`model ${[...models][0]}`] : []),
    '95 % intervals',
  ].join(' · ')
  return [
    ...passportLines(comparison, width),
    ...wrap(heading, width),
    '',
    ...(comparison.shared_tasks === 0 ? ['No task has an episode with a reward in every run.', ''] : []),
    ...table,
    ...totalLines(runs).flatMap((line) => fold(line, width)),
    ...answerLines(runs, width),
    ...learningLines(runs).flatMap((line) => fold(line, width)),
    ...frontLines(runs).flatMap((line) => fold(line, width)),
    '',
    ...differences(runs).flatMap((line) => fold(line, width)),
    ...warningLines(comparison, width),
    ...settingLines(comparison, width),
    '',
    ...provenanceNotices(runs).flatMap((notice) => wrap(notice, width)),
    ...(comparison.simulated ? wrap(simulatedNotice, width) : []),
  ]
}

function totalLines(runs: ComparedRun[]): string[] {
  const totals = runs.map(({ run, name, usage }) => {
    const spent = `${formatCount(usage.model_calls)} calls, ${formatCount(tokensOf(usage))} tokens, ${formatMoney(usage.cost)}`
    return `  ${name ?? run}: ${spent}`
  })
  return ['', 'total of the shared tasks, errors included', ...totals]
}

function passportLines({ passport_differences }: Comparison, width: number): string[] {
  if (passport_differences.length === 0) return []
  const fields = passport_differences.map((each) => `  ${describePassportDifference(each)}`)
  return [...wrap(`! ${passportHeading}:`, width), ...fields.flatMap((line) => fold(line, width)), '']
}

function warningLines({ warnings }: Comparison, width: number): string[] {
  if (warnings.length === 0) return []
  const lines = warnings.flatMap(({ message }) => wrap(`! ${message}`, width))
  return ['', 'unequal terms: a difference may come from these', ...lines]
}

function answerLines(runs: readonly ComparedRun[], width: number): string[] {
  const lines = runs.flatMap(({ answer_warnings, name, run }) =>
    answerWarningLines(answer_warnings, width, name ?? run),
  )
  return lines.length === 0 ? [] : ['', ...lines]
}

function learningLines(runs: ComparedRun[]): string[] {
  return runs
    .filter(({ learning }) => learning.model_calls > 0)
    .map(({ run, name, learning }) => {
      const spent = `${formatCount(learning.model_calls)} calls, ${formatCount(tokensOf(learning))} tokens, ${formatMoney(learning.cost)}`
      return `${name ?? run} learned before: ${spent} more`
    })
}

function frontLines(runs: readonly ComparedRun[]): string[] {
  const costs = runs.map(({ mean_cost }) => mean_cost.mean)
  if (costs.includes(null) || costs.every((cost) => cost === 0)) return []
  const front = runs.filter((run) => run.on_front).map((run) => run.name ?? run.run)
  return ['', `best for their money: ${front.join(', ')}`]
}

function formatMeanCount(mean: number | null): string {
  return mean === null ? noNumber : formatCount(mean)
}

function formatMeanCost({ mean_cost, mean_model_calls }: ComparedRun): string {
  // A null mean of calls means that nothing was played. Otherwise a price is missing.
  return mean_cost.mean === null && mean_model_calls.mean === null ? noNumber : formatMoney(mean_cost.mean)
}

function costPerSuccess({ cost_per_success }: ComparedRun): string {
  return cost_per_success === null ? noNumber : formatMoney(cost_per_success)
}

function differences(runs: ComparedRun[]): string[] {
  const [baseline] = runs
  const unlike = new Set(runs.map((run) => run.method)).size === runs.length
  const nameOf = (run: ComparedRun | undefined) => (unlike ? run?.method : run?.run)
  return runs.flatMap((run) => {
    const { difference } = run
    if (difference === null) return []
    const { lost, mean_cost, mean_model_calls, sign_test, tied, won } = difference
    const chance =
      sign_test.p_value === null
        ? ''
        : ` (sign test of success, ${sign_test.better} better and ${sign_test.worse} worse: p = ${writePValue(sign_test.p_value)})`
    const cost = mean_cost.mean === null || mean_cost.mean === 0 ? '' : `, dollars ${significant(mean_cost)}`
    return [
      `${nameOf(run)} minus ${nameOf(baseline)}: success ${formatDifference(difference.success_rate)}, reward ${formatDifference(difference.reward)}`,
      `  per episode: calls ${formatDifference(mean_model_calls)}${cost}`,
      `  tasks won ${won}, lost ${lost}, tied ${tied}${chance}`,
    ]
  })
}

function significant({ mean, ci }: Estimate): string {
  const show = (value: number) => `${value > 0 ? '+' : ''}${Number(value.toPrecision(3))}`
  if (mean === null) return noNumber
  return ci === null ? show(mean) : `${show(mean)} [${show(ci.lower)}, ${show(ci.upper)}]`
}

/** Differences between the requests, so that a reader does not credit the method with an effect of the seed. */
function settingLines({ runs, settings }: Comparison, width: number): string[] {
  if (settings.length === 0) return []
  const columns = [
    { header: 'setting' },
    ...runs.map((run) => ({ header: run.name ?? run.run, flexible: 'wrap' as const })),
  ]
  const rows = settings.map(({ field, values }) => [
    field,
    ...values.map((value) => String(value ?? noNumber)),
  ])
  return ['', 'what differs in their settings', ...formatTable(columns, rows, width)]
}

function tokensOf({ input_tokens, output_tokens }: ComparedRun['usage']): number {
  return input_tokens + output_tokens
}
