import { html } from 'hono/html'
import { formatCount, formatMoney, formatNumber } from '../../shared/core/client/format-quantity.ts'
import { episodeEndWord } from '../../shared/core/client/status-words.ts'
import type { ExportedEpisode } from '../../shared/data/exports/read-episodes.ts'
import { type Markup, renderPage, renderTable } from './page.ts'
import { renderTree } from './tree-markup.ts'

export function renderEpisode({ run, episode, tree, calls }: ExportedEpisode): Promise<string> {
  const { purpose, result, status } = episode
  const error = result?.error ?? null
  const facts: [string, string][] = [
    ['task', episode.task],
    ['epoch', String(episode.epoch + 1)],
    ['status', episodeEndWord({ status, limit: result?.limit ?? null }, purpose)],
    ['reward', result?.reward === null || result === null ? 'none' : formatNumber(result.reward)],
    ...(error === null ? [] : [['error', `${error.name}: ${error.message}`] as [string, string]]),
    ...(result === null
      ? []
      : ([
          ['steps', String(result.steps)],
          ['nodes', String(result.nodes)],
          ['calls', formatCount(result.usage.model_calls)],
          ['tokens', formatCount(result.usage.input_tokens + result.usage.output_tokens)],
          ['cost', formatMoney(result.usage.cost)],
        ] as [string, string][])),
  ]
  const body = html`<nav><a href="../../index.html">Bundle</a> / <a href="index.html">${run.request.name ?? run.id}</a></nav>
<main>
<h1>${episode.id}</h1>
${renderTable('Facts', ['figure', 'value'], facts)}
${tree === null ? html`<p>The episode has no tree: it took no action, or plays no task.</p>` : renderPlayed(tree)}
${calls === null || calls.calls.length === 0 ? '' : renderCalls(calls.calls)}
</main>`
  return renderPage(`${episode.id} · ${run.request.name ?? run.id}`, body)
}

function renderPlayed(tree: NonNullable<ExportedEpisode['tree']>): Markup {
  return html`<h2>Before the first action</h2>
${tree.messages.map(({ role, content }) => html`<details><summary>${role}</summary><pre>${content}</pre></details>\n`)}
<h2>Tree</h2>
<p>The path to the answer is open.</p>
${renderTree(tree)}`
}

function renderCalls(calls: NonNullable<ExportedEpisode['calls']>['calls']): Markup {
  const rows = calls.map(({ asked, model, node, answers, endings, usage }) => [
    asked,
    model ?? '',
    node === null ? '' : html`<a href="#node-${node}">#${node}</a>`,
    String(answers.length),
    endings.flatMap(({ fault }) => fault ?? []).join(', '),
    usage === null ? '' : formatCount(usage.input_tokens + usage.output_tokens),
    usage === null ? '' : formatMoney(usage.cost),
  ])
  const headings = ['asked', 'model', 'node', 'answers', 'faults', 'tokens', 'cost']
  return html`<h2>Calls of models</h2>
${renderTable('Calls of models', headings, rows)}`
}
