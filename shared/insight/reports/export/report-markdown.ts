import type { AnswerTally } from '../../../core/contracts/answers.ts'
import { describeBounds } from '../../../core/contracts/bounded-usage.ts'
import { provenanceNotice } from '../../../core/contracts/provenance.ts'
import type { Figures, GroupReport, Report, ScoreFigures } from '../../../core/contracts/report.ts'
import { decimal, interval, markdownTable, significant } from './markdown-table.ts'

/**
 * A report as a page of Markdown: the run as a whole, then its types of task and their difficulties. Only CSV has the
 * tasks.
 */
export function reportMarkdown(report: Report): string {
  const { episodes, usage, run } = report
  const lines = [
    `# Report of ${run}`,
    '',
    ...(report.simulated
      ? ['Played by the simulated model: these numbers prove plumbing, not quality.', '']
      : []),
    provenanceNotice(report.provenance),
    '',
    ...report.answer_warnings.flatMap(({ message }) => [`**Warning.** ${message}`, '']),
    `${episodes.succeeded} episodes succeeded, ${episodes.failed} failed, ${episodes.limited} were limited, ${episodes.errored} errored, ${episodes.cancelled} were cancelled, ${episodes.active + episodes.waiting} are open. Intervals are 95 %, clustered by task.`,
    '',
    ...markdownTable(['figure', 'value'], figureRows(report)),
    '',
    `Total of the run: ${usage.model_calls} calls (${report.lost_calls} lost), ${usage.input_tokens} tokens in (${usage.cached_tokens ?? 0} cached${report.cache_hit_rate === undefined ? '' : `, ${Math.round(100 * report.cache_hit_rate)} %`}), ${usage.output_tokens} out (${usage.reasoning_tokens ?? 0} reasoning), ${usage.cost === null ? 'no price' : `$${significant(usage.cost)}`}.${report.bounds === undefined ? '' : ` ${describeBounds(report.bounds)}.`}`,
    ...(report.answers === null ? [] : ['', answerLine(report.answers)]),
    ...scoreLines(report.scores ?? []),
    ...groupLines('By type of task', report.by_type),
    ...groupLines('By difficulty (least steps of a solution)', report.by_difficulty),
    ...groupLines('By level (labels of the benchmark)', report.by_level ?? null),
  ]
  return `${lines.join('\n')}\n`
}

function answerLine({ total, cut, empty, filtered, refused, unparsable }: AnswerTally): string {
  return `Of ${total} answers ${cut} were cut at max_tokens, ${empty} empty, ${filtered} filtered, ${refused} refused, ${unparsable} not in the form asked for.`
}

function figureRows(figures: Figures): string[][] {
  return [
    ['success rate', interval(figures.success_rate)],
    ['reward', interval(figures.reward)],
    ...figures.draws.flatMap(({ k, pass_at_k, pass_hat_k, best_of_k }) =>
      k === 1
        ? []
        : [
            [`pass@${k}`, interval(pass_at_k)],
            [`pass^${k}`, interval(pass_hat_k)],
            [`best reward of ${k}`, interval(best_of_k)],
          ],
    ),
    ['progress rate', interval(figures.progress_rate)],
    ['grounding accuracy', interval(figures.grounding_accuracy)],
    ['invalid actions', `${figures.invalid_actions.count}`],
    ['share of actions invalid', interval(figures.invalid_actions.share)],
    ['mean per episode: steps', decimal(figures.mean_steps, 1)],
    ['mean per episode: actions on the answer’s path', decimal(figures.mean_path_length, 1)],
    ['mean per episode: nodes', decimal(figures.mean_nodes, 1)],
    ['mean per episode: model calls', decimal(figures.mean_model_calls, 1)],
    ['mean per episode: tokens', significant(figures.mean_tokens)],
    ['mean per episode: cached tokens', significant(figures.mean_cached_tokens)],
    ['mean per episode: reasoning tokens', significant(figures.mean_reasoning_tokens)],
    ['mean per episode: cost in dollars', significant(figures.mean_cost)],
    ['mean per episode: working seconds', significant(figures.mean_working_seconds)],
  ]
}

function scoreLines(scores: readonly ScoreFigures[]): string[] {
  if (scores.length === 0) return []
  const header = ['score', 'by', 'mean', 'scored', 'missing', 'errors', 'outdated']
  const rows = scores.map(({ errors, kind, missing, name, outdated, scored, value }) => [
    name,
    kind === 'person' ? 'people' : 'a scorer',
    interval(value),
    ...[scored, missing, errors, outdated].map(String),
  ])
  return ['', '## Scores beside the reward', '', ...markdownTable(header, rows)]
}

const means = ['mean steps', 'mean calls', 'mean tokens', 'mean cost']

function groupLines(title: string, groups: readonly GroupReport[] | null): string[] {
  if (groups === null || groups.length === 0) return []
  const header = ['group', 'tasks', 'success rate', 'reward', 'invalid', ...means]
  const rows = groups.map((group) => [
    group.name,
    String(group.tasks),
    interval(group.success_rate),
    interval(group.reward),
    decimal(group.invalid_actions.share.mean),
    decimal(group.mean_steps, 1),
    decimal(group.mean_model_calls, 1),
    significant(group.mean_tokens),
    significant(group.mean_cost),
  ])
  return ['', `## ${title}`, '', ...markdownTable(header, rows)]
}
