import type { LoopSplits } from '../../../core/contracts/loop.ts'
import {
  type LoopDifference,
  type LoopReport,
  type ReportedRound,
  reportedModel,
} from '../../../core/contracts/loop-report.ts'
import {
  decimal,
  interval,
  markdownTable,
  significant,
} from '../../../insight/reports/export/markdown-table.ts'

export function loopMarkdown(report: LoopReport): string {
  const { best, control, lineage, loop, metric, name, recipe, environment, reason, rounds, status, usage } =
    report
  const refused = refusalsOf(report)
  const lines = [
    `# ${name ?? loop}: ${recipe} in ${environment}`,
    '',
    `The loop is ${status}${reason === null ? '.' : `: ${reason}`}`,
    '',
    ...(report.simulated
      ? ['Played by the simulated model: these numbers prove plumbing, not quality.', '']
      : []),
    ...markdownTable(
      ['round', 'model', 'success rate', 'minus round 0', 'won/lost', 'errored', 'promoted'],
      rounds.map((round) => [
        String(round.round),
        reportedModel(round),
        rateOf(round),
        differenceOf(round.minus_start, metric),
        countsOf(round.minus_start),
        erroredOf(round),
        round.outcome === null ? '–' : round.outcome.promoted ? 'yes' : 'no',
      ]),
    ),
    '',
    `Intervals are 95 %; differences are of the ${metric === 'reward' ? 'reward' : 'success rate'}, paired by task. A round is promoted only if the interval of its difference to the best before it lies above 0${control === null ? '' : ', and of that to the control, unless `promote_over` is `best`'}. Tasks won and lost are those of another success rate, which the sign test counts.`,
    '',
    ...refused.flatMap((text) => [`**Not compared.** ${text.replace(/^Not compared: /, '')}`, '']),
    ...rounds.flatMap(({ outcome, round }) =>
      outcome === null ? [] : [`- Round ${round}: ${outcome.reason}`],
    ),
    ...(best === null
      ? []
      : [
          '',
          `The best model is that of round ${best.round}${best.model === null ? ', the base' : `, ${best.model}`}.`,
        ]),
    '',
    ...splitLines(report.splits ?? null),
    '## Control',
    '',
    ...controlLines(control, metric),
    '',
    '## What was trained',
    '',
    ...markdownTable(
      ['round', 'rows', 'tokens', 'steps', 'loss', 'accuracy', 'cost in dollars', 'seconds'],
      rounds.map((round) => [
        String(round.round),
        countOf(round.rows),
        significant(round.tokens),
        countOf(round.steps),
        significant(round.loss),
        decimal(round.accuracy),
        significant(round.cost),
        decimal(round.seconds, 1),
      ]),
    ),
    '',
    `In all ${usage.cost === null ? 'no price is known' : `$${significant(usage.cost)}`}, ${decimal(usage.seconds, 1)} seconds of all stages together.`,
    '',
    '## Stages',
    '',
    ...markdownTable(
      ['stage', 'round', 'what it is', 'status', 'cost', 'seconds'],
      rounds.flatMap(({ round, stages }) =>
        stages.map(({ id, ref, status: stands, cost, seconds }) => [
          id,
          String(round),
          ref,
          stands,
          significant(cost),
          decimal(seconds, 1),
        ]),
      ),
    ),
    '',
    '## Lineage',
    '',
    '```mermaid',
    'flowchart RL',
    ...mermaidOf(lineage),
    '```',
    ...(report.warnings.length === 0
      ? []
      : ['', '## Unequal terms', '', ...report.warnings.map((text) => `- ${text}`)]),
  ]
  return `${lines.join('\n')}\n`
}

function splitLines(splits: LoopSplits | null): string[] {
  if (splits === null) return []
  const { dev, test, train } = splits
  const heldOut = (name: string, { tasks, different, in_training }: LoopSplits['test']) =>
    `- ${name}: ${tasks} tasks, ${different} different; ${in_training} of them are a training task with other names.`
  return [
    '## Tasks up to renaming',
    '',
    `- train: ${train.tasks} tasks, ${train.different} different.`,
    ...(dev === null ? [] : [heldOut('dev', dev)]),
    heldOut('test', test),
    '',
  ]
}

function controlLines(control: LoopReport['control'], metric: LoopReport['metric']): string[] {
  if (control === null) {
    return ['None was asked for: a gain of round 1 may come from longer training alone (control true).']
  }
  const { evaluation, minus_start, round_minus_control, steps } = control
  return [
    `The start of round 1, trained for ${steps ?? 'as many'} steps on the rows of the experts alone.`,
    '',
    ...markdownTable(
      ['figure', 'value', 'won/lost'],
      [
        [
          'success rate of the control',
          evaluation?.success_rate ? interval(evaluation.success_rate) : '–',
          '',
        ],
        ['control minus round 0', differenceOf(minus_start, metric), countsOf(minus_start)],
        ['round 1 minus control', differenceOf(round_minus_control, metric), countsOf(round_minus_control)],
      ],
    ),
  ]
}

function refusalsOf({ rounds, control }: LoopReport): string[] {
  const differences = [
    ...rounds.map(({ minus_start }) => minus_start),
    control?.minus_start ?? null,
    control?.round_minus_control ?? null,
  ]
  return [...new Set(differences.flatMap((difference) => difference?.refused ?? []))]
}

function rateOf({ evaluation }: ReportedRound): string {
  if (evaluation === null) return '–'
  return evaluation.success_rate === null ? 'refused' : interval(evaluation.success_rate)
}

function differenceOf(difference: LoopDifference | null, metric: LoopReport['metric']): string {
  if (difference === null) return '–'
  if (difference.refused !== null) return 'refused'
  const estimate = difference[metric]
  return estimate === null ? '–' : interval(estimate)
}

function countsOf(difference: LoopDifference | null): string {
  return difference === null || difference.refused !== null ? '–' : `${difference.won}/${difference.lost}`
}

function erroredOf({ evaluation }: ReportedRound): string {
  return evaluation === null ? '–' : `${evaluation.errored} of ${evaluation.episodes}`
}

function countOf(value: number | null): string {
  return value === null ? '–' : String(value)
}

// Mermaid allows only letters and digits in ids.
function mermaidOf({ nodes, edges }: LoopReport['lineage']): string[] {
  const names = new Map(nodes.map(({ id }, index) => [id, `n${index}`]))
  const clean = (text: string) => text.replaceAll('"', "'")
  return [
    ...nodes.map(({ id, label, kind }) => {
      const title = kind === 'nodes' ? label : `${label}<br/>${id}`
      return `  ${names.get(id)}["${clean(title)}"]`
    }),
    ...edges.map(({ from, to, label }) => `  ${names.get(from)} -- "${clean(label)}" --> ${names.get(to)}`),
  ]
}
