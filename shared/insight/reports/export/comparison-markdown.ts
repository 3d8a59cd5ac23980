import { writePValue } from '../../../core/contracts/p-value.ts'
import { describePassportDifference, passportHeading } from '../../../core/contracts/passport.ts'
import { provenanceNotices } from '../../../core/contracts/provenance.ts'
import type { ComparedRun, Comparison } from '../../../core/contracts/report.ts'
import { interval, markdownTable, significant } from './markdown-table.ts'

export function comparisonMarkdown({
  passport_differences,
  runs,
  settings,
  shared_tasks,
  simulated,
  warnings,
}: Comparison): string {
  const named = (run: ComparedRun) => run.name ?? run.run
  const money = (of: ComparedRun['mean_cost']) => interval(of, significant)
  const rows = runs.map((run) => [
    `${named(run)}${run.on_front ? ' *' : ''}`,
    run.method,
    run.model,
    interval(run.success_rate),
    interval(run.reward),
    interval(run.mean_model_calls, significant),
    money(run.mean_cost),
    significant(run.cost_per_success),
  ])
  const differences = runs.flatMap((run) => {
    const { difference } = run
    if (difference === null) return []
    const { won, lost, tied, sign_test } = difference
    return [
      [
        named(run),
        interval(difference.success_rate),
        interval(difference.reward),
        interval(difference.mean_model_calls, significant),
        money(difference.mean_cost),
        `${won}/${lost}/${tied}`,
        sign_test.p_value === null ? '' : writePValue(sign_test.p_value),
      ],
    ]
  })
  const columns = ['success rate', 'reward', 'mean calls', 'mean cost']
  const lines = [
    `# ${runs.length} runs on ${shared_tasks} shared tasks`,
    ...(shared_tasks === 0 ? ['', 'No task has an episode with a reward in every run.'] : []),
    '',
    ...(passport_differences.length === 0
      ? []
      : [
          `**${passportHeading}:**`,
          '',
          ...passport_differences.map((each) => `- ${describePassportDifference(each)}`),
          '',
        ]),
    ...(simulated ? ['Played by the simulated model: these numbers prove plumbing, not quality.', ''] : []),
    ...provenanceNotices(runs).flatMap((notice) => [notice, '']),
    ...runs.flatMap((run) =>
      run.answer_warnings.flatMap(({ message }) => [`**Warning**, ${named(run)}: ${message}`, '']),
    ),
    ...markdownTable(['run', 'method', 'model', ...columns, 'cost per success'], rows),
    '',
    '`*`: no other run is better for as little money, or as good for less. Mean calls and mean cost are of one episode; intervals are 95 %, clustered by task.',
    '',
    `## Minus ${runs[0] === undefined ? '' : named(runs[0])}`,
    '',
    ...markdownTable(['run', ...columns, 'won/lost/tied', 'p (sign test)'], differences),
    ...(warnings.length === 0
      ? []
      : [
          '',
          '## Unequal terms',
          '',
          'A difference may come from these, and not from the method or the model.',
          '',
          ...warnings.map(({ message }) => `- ${message}`),
        ]),
    ...(settings.length === 0
      ? []
      : [
          '',
          '## What differs in the settings',
          '',
          ...markdownTable(
            ['field', ...runs.map(named)],
            settings.map(({ field, values }) => [field, ...values.map((value) => String(value ?? '–'))]),
          ),
        ]),
  ]
  return `${lines.join('\n')}\n`
}
