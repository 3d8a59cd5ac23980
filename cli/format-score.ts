import { formatCount, formatEstimate, formatNumber } from '../shared/core/client/format-quantity.ts'
import type { Agreement, ScoreReport } from '../shared/core/contracts/scoring.ts'
import { wrap } from './fit-text.ts'
import { formatTable } from './format-table.ts'

const right = 'right' as const
const mostErrors = 5

export function formatScore(report: ScoreReport, width: number): string[] {
  const { agreement, episodes, errors, first_errors, kind, missing, name, outdated, run, scored, value } =
    report
  return [
    `score ${name} of ${run}, by ${kind === 'person' ? 'people' : 'a scorer'}`,
    '',
    `mean           ${formatEstimate(value)}   (${formatCount(value.count)} episodes of ${formatCount(value.tasks)} tasks, 95 % interval)`,
    `episodes       ${formatCount(episodes)} played to an end: ${formatCount(scored)} scored, ${formatCount(missing)} not judged, ${formatCount(errors)} with an error, ${formatCount(outdated)} played on since`,
    '',
    ...agreementLines(agreement, name, width),
    ...(first_errors.length === 0 ? [] : ['', 'errors (never counted as a value)']),
    ...first_errors
      .slice(0, mostErrors)
      .flatMap(({ episode, error }) => wrap(`  ${episode}  ${error.replaceAll(/\s+/g, ' ')}`, width)),
    ...(errors > mostErrors ? [`  … ${errors - mostErrors} more`] : []),
  ]
}

function agreementLines(agreement: Agreement, name: string, width: number): string[] {
  const { against, confusion, pairs, positive, threshold, without_reference, without_score } = agreement
  const head = `agreement with ${against} over ${formatCount(pairs)} episodes that have both (${formatCount(without_score)} without the score, ${formatCount(without_reference)} without ${against})`
  if (pairs === 0) return wrap(head, width)
  const columns = [
    { header: '' },
    { header: `${name} ≥ ${threshold}`, align: right },
    { header: `${name} < ${threshold}`, align: right },
  ]
  const counts = formatTable(
    columns,
    [
      [positive, String(confusion.both), String(confusion.reference_only)],
      [`not: ${positive}`, String(confusion.score_only), String(confusion.neither)],
    ],
    width,
  )
  return [
    ...wrap(head, width),
    `  accuracy     ${formatNumber(agreement.accuracy)}`,
    `  kappa        ${formatNumber(agreement.kappa)}   (Cohen’s)`,
    `  Pearson      ${formatNumber(agreement.pearson)}`,
    `  Spearman     ${formatNumber(agreement.spearman)}`,
    `  bias         ${formatNumber(agreement.mean_difference)}   (mean of ${name} − ${against})`,
    ...counts.map((line) => `  ${line}`),
  ]
}
