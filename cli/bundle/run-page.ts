import { html } from 'hono/html'
import {
  formatCount,
  formatEstimate,
  formatMoney,
  formatNumber,
} from '../../shared/core/client/format-quantity.ts'
import { episodeEndWord, episodeStatusWord, workWord } from '../../shared/core/client/status-words.ts'
import type { Episode } from '../../shared/core/contracts/episode.ts'
import { provenanceNotice } from '../../shared/core/contracts/provenance.ts'
import type { Report } from '../../shared/core/contracts/report.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import { simulatedNotice } from '../format-report.ts'
import { type Markup, renderPage, renderTable } from './page.ts'

export function renderRun(run: Run, report: Report, episodes: readonly Episode[]): Promise<string> {
  const name = run.request.name ?? run.id
  const { usage } = report
  const figures: [string, string][] = [
    [
      'status',
      run.status_reason === null ? workWord(run.status) : `${workWord(run.status)}: ${run.status_reason}`,
    ],
    ['success rate', formatEstimate(report.success_rate)],
    ['mean reward', formatEstimate(report.reward)],
    ['progress rate', formatEstimate(report.progress_rate)],
    ['episodes with a reward', String(report.success_rate.count)],
    [episodeStatusWord('errored'), String(report.episodes.errored)],
    ['calls', formatCount(usage.model_calls)],
    ['tokens', formatCount(usage.input_tokens + usage.output_tokens)],
    ['cost', formatMoney(usage.cost)],
  ]
  const rows = episodes.map(({ id, task, epoch, purpose, status, result }): (string | Markup)[] => [
    html`<a href="${id}.html">${id}</a>`,
    task,
    String(epoch + 1),
    episodeEndWord({ status, limit: result?.limit ?? null }, purpose),
    result === null || result.reward === null ? '' : formatNumber(result.reward),
    result === null ? '' : String(result.steps),
    result === null ? '' : String(result.nodes),
    result === null ? '' : formatMoney(result.usage.cost),
  ])
  const headings = ['episode', 'task', 'epoch', 'status', 'reward', 'steps', 'nodes', 'cost']
  const body = html`<nav><a href="../../index.html">Bundle</a></nav>
<main>
<h1>${name}</h1>
${renderNotices([provenanceNotice(report.provenance)], report.simulated)}
<p>${run.request.environment} · ${run.request.method.id} · ${run.request.model.endpoint}/${run.request.model.id}</p>
${renderTable('Figures, with 95 % intervals', ['figure', 'value'], figures)}
<h2>Episodes</h2>
${renderTable('Episodes', headings, rows)}
<h2>Settings</h2>
<details><summary>The request with its defaults</summary><pre>${JSON.stringify(run.request, null, 2)}</pre></details>
</main>`
  return renderPage(name, body)
}

export function renderNotices(notices: readonly string[], isSimulated: boolean): Markup {
  const all = [...notices, ...(isSimulated ? [simulatedNotice] : [])].filter((notice) => notice !== '')
  return html`${all.map((notice) => html`<p class="notice">${notice}</p>`)}`
}
