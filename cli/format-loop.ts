import {
  formatCount,
  formatDuration,
  formatEstimate,
  formatMoney,
  formatNumber,
  noNumber,
} from '../shared/core/client/format-quantity.ts'
import { workWord } from '../shared/core/client/status-words.ts'
import type { Loop } from '../shared/core/contracts/loop.ts'
import {
  type LoopDifference,
  type LoopPlan,
  type LoopReport,
  reportedModel,
} from '../shared/core/contracts/loop-report.ts'
import type { LoopRecipeInfo } from '../shared/core/contracts/loop-settings.ts'
import { wrap } from './fit-text.ts'
import { simulatedNotice } from './format-report.ts'
import { formatTable } from './format-table.ts'

const right = 'right' as const

export function formatLoops(loops: readonly Loop[], width: number): string[] {
  if (loops.length === 0) return ['No loops yet. Begin one: espalier loop --help']
  const rows = loops.map((loop) => [
    loop.id,
    workWord(loop.status),
    loop.name ?? noNumber,
    loop.request.recipe,
    loop.request.environment,
    `${loop.progress.round}/${loop.progress.rounds}`,
    loop.best === null ? noNumber : `round ${loop.best.round}`,
    formatMoney(loop.usage.cost),
  ])
  const columns = [
    { header: 'loop' },
    { header: 'status' },
    { header: 'name', flexible: true },
    { header: 'recipe' },
    { header: 'environment' },
    { header: 'round', align: right },
    { header: 'best' },
    { header: 'cost', align: right },
  ]
  return formatTable(columns, rows, width)
}

export function formatLoop(loop: Loop, width: number): string[] {
  const { best, progress, request, usage } = loop
  const stages = loop.rounds.flatMap(({ round, stages }) =>
    stages.map(({ id, ref, status, cost, seconds }) => [
      String(round),
      id,
      workWord(status),
      ref,
      formatMoney(cost),
      formatDuration(seconds),
    ]),
  )
  return [
    `loop      ${loop.id}${loop.name === null ? '' : `  (${loop.name})`}`,
    ...wrap(`status    ${workWord(loop.status)}${loop.reason === null ? '' : `: ${loop.reason}`}`, width),
    `recipe    ${request.recipe} in ${request.environment}`,
    `round     ${progress.round} of ${progress.rounds}${progress.stage === null ? '' : `, ${progress.stage}${progress.ref === null ? '' : ` (${progress.ref})`}`}`,
    `best      ${best === null ? noNumber : `round ${best.round}${best.model === null ? ', the base' : `, ${best.model}`}`}`,
    `took      ${formatMoney(usage.cost)}, ${formatDuration(loop.running_seconds)} of running`,
    ...loop.rounds.flatMap(({ outcome, round }) =>
      outcome === null ? [] : wrap(`round ${round}   ${outcome.reason}`, width),
    ),
    ...(stages.length === 0
      ? []
      : [
          '',
          ...formatTable(
            [
              { header: 'round', align: right },
              { header: 'stage' },
              { header: 'status' },
              { header: 'what it is', flexible: true },
              { header: 'cost', align: right },
              { header: 'time', align: right },
            ],
            stages,
            width,
          ),
        ]),
  ]
}

export function formatLoopReport(report: LoopReport, width: number): string[] {
  const { control, metric } = report
  const rows = report.rounds.map((round) => [
    String(round.round),
    reportedModel(round),
    round.evaluation === null
      ? noNumber
      : round.evaluation.success_rate === null
        ? 'refused'
        : formatEstimate(round.evaluation.success_rate),
    differenceOf(round.minus_start, metric),
    round.evaluation === null ? noNumber : `${round.evaluation.errored}/${round.evaluation.episodes}`,
    round.rows === null ? noNumber : formatCount(round.rows),
    formatNumber(round.loss, 3),
    round.outcome === null ? noNumber : round.outcome.promoted ? 'yes' : 'no',
  ])
  const columns = [
    { header: 'round', align: right },
    { header: 'model', flexible: 'wrap' as const },
    { header: 'success rate', align: right },
    { header: `minus round 0 (${metric === 'reward' ? 'reward' : 'success rate'})`, align: right },
    { header: 'errored', align: right },
    { header: 'rows', align: right },
    { header: 'loss', align: right },
    { header: 'promoted' },
  ]
  const { splits } = report
  const refused = [
    ...report.rounds.map(({ minus_start }) => minus_start?.refused ?? null),
    control?.minus_start?.refused ?? null,
    control?.round_minus_control?.refused ?? null,
  ].filter((text) => text !== null)
  return [
    `report of ${report.loop}: ${report.recipe} in ${report.environment}${report.simulated ? ` · ${simulatedNotice}` : ''}`,
    ...(report.reason === null ? [] : wrap(`${workWord(report.status)}: ${report.reason}`, width)),
    '',
    ...formatTable(columns, rows, width),
    '',
    ...(splits
      ? wrap(
          `tasks     ${splits.test.different} of ${splits.test.tasks} test tasks differ in more than names; ${splits.test.in_training} are a training task with other names`,
          width,
        )
      : []),
    ...(control === null
      ? wrap(
          'control   none: a gain of round 1 may come from longer training alone (--control trains one)',
          width,
        )
      : [
          `control   ${control.evaluation?.success_rate ? formatEstimate(control.evaluation.success_rate) : noNumber} after ${control.steps ?? noNumber} steps on the rows of the experts alone`,
          `          minus round 0 ${differenceOf(control.minus_start, metric)}, round 1 minus control ${differenceOf(control.round_minus_control, metric)}`,
        ]),
    ...[...new Set(refused)].flatMap((text) => wrap(text, width)),
    ...report.warnings.flatMap((text) => wrap(`unequal   ${text}`, width)),
    `took      ${formatMoney(report.usage.cost)}, ${formatDuration(report.usage.seconds)} of all stages`,
    'Intervals are 95 %; differences are paired by task.',
  ]
}

function differenceOf(difference: LoopDifference | null, metric: LoopReport['metric']): string {
  if (difference === null) return noNumber
  if (difference.refused !== null) return 'refused'
  const estimate = difference[metric]
  if (estimate === null) return noNumber
  return `${estimate.mean !== null && estimate.mean > 0 ? '+' : ''}${formatEstimate(estimate)}`
}

export function formatLoopPlan(plan: LoopPlan, width: number): string[] {
  const { tasks } = plan
  const rows = plan.stages.map(({ round, stage, what, episodes, estimate }) => [
    String(round),
    stage,
    what,
    episodes === null ? noNumber : formatCount(episodes),
    estimate === null ? noNumber : formatCount(estimate.model_calls.expected),
    estimate === null
      ? noNumber
      : formatCount(estimate.input_tokens.expected + estimate.output_tokens.expected),
    estimate === null ? noNumber : formatMoney(estimate.cost?.expected ?? null),
  ])
  const columns = [
    { header: 'round', align: right },
    { header: 'stage' },
    { header: 'what', flexible: true },
    { header: 'episodes', align: right },
    { header: 'calls', align: right },
    { header: 'tokens', align: right },
    { header: 'cost', align: right },
  ]
  const { cost } = plan
  return [
    `${plan.recipe}: ${formatCount(tasks.train)} training tasks${tasks.dev === null ? '' : `, ${formatCount(tasks.dev)} dev tasks`}, ${formatCount(tasks.test)} test tasks`,
    '',
    ...formatTable(columns, rows, width),
    '',
    cost === null
      ? 'cost      not known'
      : `cost      ${formatMoney(cost.expected)} expected, ${formatMoney(cost.at_most)} at most`,
    ...plan.missing.flatMap((text) => wrap(`missing   ${text}`, width)),
    ...plan.notes.flatMap((note) => wrap(`note      ${note}`, width)),
  ]
}

export function formatLoopRecipes(recipes: readonly LoopRecipeInfo[], width: number): string[] {
  const columns = [
    { header: 'recipe' },
    { header: 'what it is', flexible: true },
    { header: 'rows' },
    { header: 'trained by' },
  ]
  const rows = recipes.map(({ id, title, kind, training }) => [id, title, kind, training])
  return [
    ...formatTable(columns, rows, width),
    '',
    'Settings with their sources, and what remains different: espalier loops recipes RECIPE',
  ]
}

export function formatLoopRecipe(recipe: LoopRecipeInfo, width: number): string[] {
  const { id, title, paper, kind, training, preset, settings, deviations } = recipe
  const hanging = (line: string) => wrap(line, width - 4).map((part, at) => (at === 0 ? part : `    ${part}`))
  return [
    `${id}: ${title}`,
    ...wrap(paper, width),
    `rows of the kind ${kind}, trained by ${training}`,
    ...(preset === null
      ? []
      : hanging(
          `runs take ${preset.fields.join(', ')} of the preset ${preset.id} (espalier presets ${preset.id})`,
        )),
    '',
    ...settings.flatMap(({ field, value, source }) => {
      const shown = value === null ? noNumber : typeof value === 'string' ? value : JSON.stringify(value)
      return hanging(`${field}=${shown}  (${source})`)
    }),
    '',
    'What remains different',
    ...deviations.flatMap((text) => hanging(`- ${text}`)),
  ]
}
