import { formatFaults } from '../shared/core/client/format-faults.ts'
import {
  formatCount,
  formatDuration,
  formatEstimate,
  formatMoney,
  formatNumber,
  noNumber,
} from '../shared/core/client/format-quantity.ts'
import { episodeStatusWord } from '../shared/core/client/status-words.ts'
import type { AnswerWarning } from '../shared/core/contracts/answers.ts'
import { describeBounds } from '../shared/core/contracts/bounded-usage.ts'
import { cacheHitRate } from '../shared/core/contracts/cache-hit-rate.ts'
import { provenanceNotice } from '../shared/core/contracts/provenance.ts'
import type { GroupReport, Report, ScoreFigures } from '../shared/core/contracts/report.ts'
import { cutText, fold, wrap } from './fit-text.ts'
import { formatErrors } from './format-errors.ts'
import { formatTable } from './format-table.ts'

export const simulatedNotice = 'Played by the simulated model: these numbers prove plumbing, not quality.'

const right = 'right' as const

const effortColumns = ['steps', 'tokens', 'cost'].map((header) => ({
  header,
  align: right,
  group: 'mean per episode',
}))

export function formatReport(report: Report, options: { width: number; tasks?: boolean }): string[] {
  const { episodes, usage } = report
  const scored = report.success_rate.count
  const limits = Object.entries(report.limits).map(([limit, count]) => `${count} by ${limit}`)
  const lines = [
    `report of ${report.run}${report.simulated ? ` · ${simulatedNotice}` : ''}`,
    ...wrap(provenanceNotice(report.provenance), options.width),
    '',
    ...answerWarningLines([...report.answer_warnings, ...(report.warnings ?? [])], options.width),
    `success rate   ${formatEstimate(report.success_rate)}   (${scored} episodes of ${report.success_rate.tasks} tasks, 95 % interval)`,
    ...drawLines(report),
    `mean reward    ${formatEstimate(report.reward)}`,
    `progress rate  ${formatEstimate(report.progress_rate)}`,
    `grounding      ${formatEstimate(report.grounding_accuracy)}   (actions that were valid)`,
    `invalid        ${formatCount(report.invalid_actions.count)} actions, a share of ${formatEstimate(report.invalid_actions.share)}`,
    `per episode    on average ${formatNumber(report.mean_steps, 1)} steps, ${formatNumber(report.mean_nodes, 1)} nodes, ${formatNumber(report.mean_model_calls, 1)} calls, ${report.mean_tokens === null ? noNumber : formatCount(report.mean_tokens)} tokens, ${report.mean_tokens === null ? noNumber : formatMoney(report.mean_cost)}, ${report.mean_working_seconds === null ? noNumber : formatDuration(report.mean_working_seconds)}`,
    `answer path    ${formatNumber(report.mean_path_length, 1)} actions of the agent, ${formatNumber(report.mean_primitive_steps, 1)} environment steps, on average`,
    `total          ${formatCount(usage.model_calls)} calls, ${formatCount(usage.input_tokens + usage.output_tokens)} tokens${tokenNote(usage)}, ${formatMoney(usage.cost)}${report.lost_calls > 0 ? `, ${report.lost_calls} lost calls among them` : ''}`,
    ...(report.bounds === undefined ? [] : [`               ${describeBounds(report.bounds)}`]),
    `episodes       ${episodes.succeeded} ${episodeStatusWord('succeeded')}, ${episodes.failed} ${episodeStatusWord('failed')}, ${episodes.limited} ${episodeStatusWord('limited')}${limits.length > 0 ? ` (${limits.join(', ')})` : ''}, ${episodes.errored} ${episodeStatusWord('errored')}, ${episodes.cancelled} cancelled, ${episodes.active + episodes.waiting} open`,
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
  const faults = report.answers === null ? '' : formatFaults(report.answers)
  if (report.answers !== null && faults !== '') {
    lines.push(`answers        ${formatCount(report.answers.total)}, of which ${faults}`)
  }
  const prose = lines.flatMap((line, at) =>
    at === 0 ? [cutText(line, options.width)] : fold(line, options.width),
  )
  const tables = scoreLines(report.scores ?? [], options.width)
  if (report.errors.length > 0) {
    const [first] = report.errors
    tables.push('', 'errors (never counted in a mean)')
    tables.push(...formatErrors(report, options.width - 2).map((line) => `  ${line}`))
    tables.push(`  in full: espalier show ${report.run} ${first?.episode}`)
  }
  tables.push(...groupLines('type of task', report.by_type, options.width))
  tables.push(...groupLines('least steps of a solution', report.by_difficulty, options.width))
  tables.push(...levelLines(report, options.width))
  if (options.tasks) tables.push('', ...taskTable(report, options.width))
  return [...prose, ...tables]
}

export function answerWarningLines(
  warnings: readonly Pick<AnswerWarning, 'message'>[],
  width: number,
  of?: string,
): string[] {
  const indent = 15
  return warnings.flatMap(({ message }) =>
    wrap(of === undefined ? message : `${of}: ${message}`, Math.max(20, width - indent)).map(
      (line, index) => (index === 0 ? 'warning' : '').padEnd(indent) + line,
    ),
  )
}

function scoreLines(scores: readonly ScoreFigures[], width: number): string[] {
  if (scores.length === 0) return []
  const columns = [
    { header: 'score', flexible: 'wrap' as const },
    { header: 'by' },
    ...['mean', 'scored', 'missing', 'errors', 'outdated'].map((header) => ({ header, align: right })),
  ]
  const rows = scores.map(({ errors, kind, missing, name, outdated, scored, value }) => [
    name,
    kind === 'person' ? 'people' : 'scorer',
    formatEstimate(value),
    ...[scored, missing, errors, outdated].map(formatCount),
  ])
  return ['', ...formatTable(columns, rows, width)]
}

function tokenNote(usage: Report['usage']): string {
  const { cached_tokens, reasoning_tokens } = usage
  const hits = `${Math.round(100 * (cacheHitRate(usage) ?? 0))} % of the input`
  const parts = [
    ...(cached_tokens === undefined ? [] : [`${formatCount(cached_tokens)} cached, ${hits}`]),
    ...(reasoning_tokens === undefined ? [] : [`${formatCount(reasoning_tokens)} reasoning`]),
  ]
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`
}

function drawLines({ draws }: Report): string[] {
  return draws
    .filter(({ k }) => k > 1)
    .flatMap(({ k, pass_at_k, pass_hat_k, best_of_k }) => [
      `${`pass@${k}, ^${k}`.padEnd(14)} ${formatEstimate(pass_at_k)} that one of ${k} succeeds, ${formatEstimate(pass_hat_k)} that all do`,
      `${`best of ${k}`.padEnd(14)} ${formatEstimate(best_of_k)} (the best reward of ${k} at a task)`,
    ])
}

function groupLines(title: string, groups: GroupReport[] | null, width: number): string[] {
  return groups === null || groups.length < 2 ? [] : groupTable(title, groups, width)
}

function groupTable(title: string, groups: readonly GroupReport[], width: number): string[] {
  const table = formatTable(
    [
      { header: title, flexible: 'wrap' },
      { header: 'tasks', align: right },
      { header: 'success rate', align: right },
      { header: 'mean reward', align: right },
      ...effortColumns,
    ],
    groups.map((group) => [
      group.name,
      String(group.tasks),
      formatEstimate(group.success_rate),
      formatEstimate(group.reward),
      formatNumber(group.mean_steps, 1),
      group.mean_tokens === null ? noNumber : formatCount(group.mean_tokens),
      group.mean_tokens === null ? noNumber : formatMoney(group.mean_cost),
    ]),
    width,
  )
  return ['', ...table]
}

function levelLines(report: Report, width: number): string[] {
  const { by_level: groups = [] } = report
  if (groups.length === 0) return []
  const unlabelled = report.tasks.length - groups.reduce((sum, { tasks }) => sum + tasks, 0)
  const lines = groupTable('level (labels of the benchmark)', groups, width)
  return unlabelled === 0 ? lines : [...lines, `${unlabelled} tasks have no label, and are in neither.`]
}

function taskTable(report: Report, width: number): string[] {
  return formatTable(
    [
      { header: 'task' },
      { header: 'solved', align: right },
      { header: 'mean reward', align: right },
      ...effortColumns,
    ],
    report.tasks.map((task) => [
      task.task,
      `${task.successes}/${task.scored}`,
      formatNumber(task.mean_reward),
      formatNumber(task.mean_steps, 1),
      task.mean_tokens === null ? noNumber : formatCount(task.mean_tokens),
      task.mean_tokens === null ? noNumber : formatMoney(task.mean_cost),
    ]),
    width,
  )
}
