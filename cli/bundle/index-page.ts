import { html } from 'hono/html'
import { formatDifference, formatEstimate, formatMoney } from '../../shared/core/client/format-quantity.ts'
import { workWord } from '../../shared/core/client/status-words.ts'
import { describePassportDifference, passportHeading } from '../../shared/core/contracts/passport.ts'
import { provenanceNotices } from '../../shared/core/contracts/provenance.ts'
import type { Comparison, Report } from '../../shared/core/contracts/report.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import { type Markup, renderPage, renderTable } from './page.ts'
import { renderNotices } from './run-page.ts'

export function renderIndex(
  runs: readonly { run: Run; report: Report }[],
  comparison: Comparison | null,
): Promise<string> {
  const rows = runs.map(({ run, report }): (string | Markup)[] => [
    linkTo(run.id, run.request.name ?? run.id),
    run.request.environment,
    run.request.method.id,
    `${run.request.model.endpoint}/${run.request.model.id}`,
    workWord(run.status),
    formatEstimate(report.success_rate),
    formatEstimate(report.reward),
    formatMoney(report.usage.cost),
  ])
  const headings = ['run', 'environment', 'method', 'model', 'status', 'success rate', 'mean reward', 'cost']
  const notices = provenanceNotices(runs.map(({ report }) => report))
  const body = html`<main>
<h1>Runs</h1>
${renderNotices(
  notices,
  runs.some(({ report }) => report.simulated),
)}
${renderTable('Runs, with 95 % intervals', headings, rows)}
${comparison === null ? '' : renderComparison(comparison)}
</main>`
  return renderPage('Espalier: runs', body)
}

function renderComparison({
  passport_differences,
  runs,
  shared_tasks,
  warnings,
  settings,
}: Comparison): Markup {
  const rows = runs.map(({ run, name, success_rate, reward, mean_cost, difference }): (string | Markup)[] => [
    linkTo(run, name ?? run),
    formatEstimate(success_rate),
    formatEstimate(reward),
    mean_cost.mean === null ? formatMoney(null) : formatMoney(mean_cost.mean),
    difference === null ? 'baseline' : formatDifference(difference.success_rate),
    difference === null ? '' : formatDifference(difference.reward),
    difference === null ? '' : `${difference.won} / ${difference.tied} / ${difference.lost}`,
    difference?.sign_test.p_value?.toPrecision(2) ?? '',
  ])
  const headings = [
    'run',
    'success rate',
    'mean reward',
    'cost of an episode',
    'success, minus baseline',
    'reward, minus baseline',
    'won / tied / lost',
    'sign test p',
  ]
  const differing = settings.map(({ field, values }) => [
    field,
    ...values.map((value) => JSON.stringify(value)),
  ])
  const passports = passport_differences.map(describePassportDifference).join('; ')
  return html`<h2>Comparison</h2>
${passports === '' ? '' : html`<p class="notice">${passportHeading}: ${passports}.</p>`}
<p>On the ${shared_tasks} ${shared_tasks === 1 ? 'task' : 'tasks'} that the runs share, paired by task, with 95 % intervals.</p>
${warnings.map(({ message }) => html`<p class="notice">${message}</p>`)}
${renderTable('Comparison', headings, rows)}
<h3>What differs</h3>
${renderTable('What differs', ['setting', ...runs.map(({ run, name }) => name ?? run)], differing)}`
}

function linkTo(run: string, name: string): Markup {
  return html`<a href="runs/${run}/index.html">${name}</a>`
}
