import type { Comparison, Report } from '../shared/contracts/report.ts'
import { truncate } from './fit-text.ts'
import {
  formatCount,
  formatDifference,
  formatEstimate,
  formatMoney,
  formatNumber,
  nothing,
} from './format-quantity.ts'
import { formatTable } from './format-table.ts'

/** What stands with every number of the simulated model. */
export const simulatedNotice = 'Played by the simulated model: these numbers prove plumbing, not quality.'

type ComparedRun = Comparison['runs'][number]

const right = 'right' as const
const mostErrors = 5

/** A run's report: the estimates with their intervals, what it used, what went wrong; with `tasks`, task by task. */
export function formatReport(report: Report, options: { width: number; tasks?: boolean }): string[] {
  const { episodes, usage } = report
  const scored = report.success_rate.count
  const limits = Object.entries(report.limits).map(([limit, count]) => `${count} by ${limit}`)
  const lines = [
    `report of ${report.run}${report.simulated ? ` · ${simulatedNotice}` : ''}`,
    '',
    `success rate   ${formatEstimate(report.success_rate)}   (${scored} episodes of ${report.success_rate.tasks} tasks, 95 % interval)`,
    `mean reward    ${formatEstimate(report.reward)}`,
    `progress rate  ${formatEstimate(report.progress_rate)}`,
    `grounding      ${formatEstimate(report.grounding_accuracy)}   (actions that were valid)`,
    `per episode    ${formatNumber(report.mean_steps, 1)} steps, ${formatNumber(report.mean_nodes, 1)} nodes, ${report.mean_tokens === null ? nothing : formatCount(report.mean_tokens)} tokens, ${scored === 0 ? nothing : formatMoney(report.mean_cost)}`,
    `answer path    ${formatNumber(report.mean_path_length, 1)} actions of the agent, ${formatNumber(report.mean_primitive_steps, 1)} environment steps`,
    `in all         ${formatCount(usage.model_calls)} calls, ${formatCount(usage.input_tokens + usage.output_tokens)} tokens, ${formatMoney(usage.cost)}${report.lost_calls > 0 ? `, ${report.lost_calls} lost calls among them` : ''}`,
    `episodes       ${episodes.succeeded} succeeded, ${episodes.failed} failed, ${episodes.limited} limited${limits.length > 0 ? ` (${limits.join(', ')})` : ''}, ${episodes.errored} errored, ${episodes.cancelled} cancelled, ${episodes.active + episodes.waiting} open`,
  ]
  if (report.learning_episodes > 0) {
    lines.push(
      `learning       ${report.learning_episodes} of the episodes learned for the others (in no mean)`,
    )
  }
  if (report.unparsable > 0) {
    lines.push(
      `unparsable     ${report.unparsable} ${report.unparsable === 1 ? 'answer' : 'answers'} in no form that could be read, asked for again`,
    )
  }
  if (report.errors.length > 0) {
    lines.push('', 'errors (never counted in a mean)')
    for (const error of report.errors.slice(0, mostErrors)) {
      lines.push(`  ${error.episode}  ${error.task}  ${error.name}: ${error.message}`)
    }
    if (report.errors.length > mostErrors) lines.push(`  … ${report.errors.length - mostErrors} more`)
    const [first] = report.errors
    lines.push(`  in full: espalier show ${report.run} ${first?.episode}`)
  }
  if (options.tasks) lines.push('', ...taskTable(report, options.width))
  return lines.map((line) => truncate(line, options.width))
}

function taskTable(report: Report, width: number): string[] {
  return formatTable(
    [
      { header: 'task' },
      { header: 'solved', align: right },
      { header: 'reward', align: right },
      { header: 'steps', align: right },
      { header: 'tokens', align: right },
      { header: 'cost', align: right },
    ],
    report.tasks.map((task) => [
      task.task,
      `${task.successes}/${task.scored}`,
      formatNumber(task.mean_reward),
      formatNumber(task.steps, 1),
      formatCount(task.tokens),
      formatMoney(task.cost),
    ]),
    width,
  )
}

/** Runs side by side, then each against the first. What is the same for all stands above. */
export function formatComparison(comparison: Comparison, width: number): string[] {
  const { runs } = comparison
  const models = new Set(runs.map((run) => run.model))
  const columns: {
    header: string
    align?: 'right'
    flexible?: boolean
    cell: (run: ComparedRun) => string
  }[] = [
    { header: 'run', flexible: true, cell: (run) => run.name ?? run.run },
    { header: 'method', cell: (run) => run.method },
    ...(models.size > 1 ? [{ header: 'model', cell: (run: ComparedRun) => run.model }] : []),
    { header: 'success rate', align: right, cell: (run) => formatEstimate(run.success_rate) },
    { header: 'mean reward', align: right, cell: (run) => formatEstimate(run.reward) },
    { header: 'steps', align: right, cell: (run) => formatNumber(run.mean_steps, 1) },
    { header: 'path', align: right, cell: (run) => formatNumber(run.mean_path_length, 1) },
    { header: 'calls', align: right, cell: (run) => formatCount(run.usage.model_calls) },
    { header: 'tokens', align: right, cell: (run) => formatCount(tokensOf(run.usage)) },
    { header: 'cost', align: right, cell: (run) => formatMoney(run.usage.cost) },
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
    heading,
    '',
    ...table,
    ...learningLines(runs),
    '',
    ...differences(runs),
    ...(comparison.simulated ? ['', simulatedNotice] : []),
  ].map((line) => truncate(line, width))
}

/** What runs spent before they played, which is no part of the table. */
function learningLines(runs: ComparedRun[]): string[] {
  return runs
    .filter(({ learning }) => learning.model_calls > 0)
    .map(({ run, name, learning }) => {
      const spent = `${formatCount(learning.model_calls)} calls, ${formatCount(tokensOf(learning))} tokens, ${formatMoney(learning.cost)}`
      return `${name ?? run} learned before: ${spent} more`
    })
}

function differences(runs: ComparedRun[]): string[] {
  const [baseline] = runs
  const unlike = new Set(runs.map((run) => run.method)).size === runs.length
  const nameOf = (run: ComparedRun | undefined) => (unlike ? run?.method : run?.run)
  return runs.flatMap((run) => {
    const { difference } = run
    if (difference === null) return []
    return [
      `${nameOf(run)} minus ${nameOf(baseline)}: success ${formatDifference(difference.success_rate)}, reward ${formatDifference(difference.reward)}`,
      `  tasks won ${difference.won}, lost ${difference.lost}, tied ${difference.tied}`,
    ]
  })
}

function tokensOf({ input_tokens, output_tokens }: ComparedRun['usage']): number {
  return input_tokens + output_tokens
}
