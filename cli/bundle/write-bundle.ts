import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { html } from 'hono/html'
import type { ApiClient } from '../../shared/core/client/api-client.ts'
import { formatCount, formatMoney, formatNumber } from '../../shared/core/client/format-quantity.ts'
import { episodeEndWord } from '../../shared/core/client/status-words.ts'
import type { Episode } from '../../shared/core/contracts/episode.ts'
import type { Observation } from '../../shared/core/contracts/message.ts'
import type { Report } from '../../shared/core/contracts/report.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import type { Tree } from '../../shared/core/contracts/tree.ts'
import {
  type ExportClient,
  type ExportedEpisode,
  readEpisodes,
} from '../../shared/data/exports/read-episodes.ts'
import { renderIndex } from './index-page.ts'
import { type Markup, renderPage, renderTable } from './page.ts'
import { renderRun } from './run-page.ts'

/**
 * Writes pages that show runs without a service: `index.html` with the runs and their comparison,
 * `runs/{run}/index.html`, and `runs/{run}/{episode}.html` with its tree. Links are relative, so the folder can be
 * moved, packed and opened from a disk. The comparison comes first, so that runs that cannot be compared are refused
 * before any page is written.
 * @returns the name of the first page
 */
export async function writeBundle(
  client: ExportClient & Pick<ApiClient, 'compare'>,
  runs: readonly Run[],
  folder: string,
): Promise<string> {
  const comparison = runs.length > 1 ? await client.compare(runs.map(({ id }) => id)) : null
  const shown: { run: Run; report: Report }[] = []
  for (const run of runs) {
    const place = join(folder, 'runs', run.id)
    await mkdir(place, { recursive: true })
    const episodes: Episode[] = []
    for await (const exported of readEpisodes(client, run, { tree: true, calls: true })) {
      episodes.push(exported.episode)
      await writeFile(join(place, `${exported.episode.id}.html`), await renderEpisode(exported))
    }
    const report = await client.report(run.id)
    await writeFile(join(place, 'index.html'), await renderRun(run, report, episodes))
    shown.push({ run, report })
  }
  await writeFile(join(folder, 'index.html'), await renderIndex(shown, comparison))
  return 'index.html'
}

function renderEpisode({ run, episode, tree, calls }: ExportedEpisode): Promise<string> {
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

export function renderTree(tree: Tree): Markup {
  const children = tree.nodes.map((): number[] => [])
  for (const [index, { parent }] of tree.nodes.entries()) if (parent !== null) children[parent]?.push(index)
  const path = new Set<number>()
  for (let at: number | null = tree.best; at !== null; at = tree.nodes[at]?.parent ?? null) path.add(at)
  // Children have larger positions than their parents, so from the end each node finds its children rendered.
  const rendered: Markup[] = []
  for (let index = tree.nodes.length - 1; index >= 0; index -= 1) {
    const below = (children[index] ?? []).map((child) => rendered[child])
    rendered[index] = renderNode(tree, index, { isOnPath: path.has(index), below })
  }
  return html`<ul class="tree">${rendered[0] ?? ''}</ul>`
}

function renderNode(
  tree: Tree,
  index: number,
  { isOnPath, below }: { isOnPath: boolean; below: readonly (Markup | undefined)[] },
): Markup {
  const node = tree.nodes[index]
  if (node === undefined) return html``
  const { action, message, observation, reward, value, visits, done, valid } = node
  const facts = [
    `reward ${formatNumber(reward)}`,
    ...(visits > 0 ? [`value ${formatNumber(value)}`, `${visits} ${visits === 1 ? 'visit' : 'visits'}`] : []),
    ...(done ? ['the task ended'] : []),
    ...(valid === false ? ['not possible'] : []),
    ...(index === tree.best ? ['the answer'] : []),
  ].join(' · ')
  const said = message === null || message === action ? '' : html`<pre>${message}</pre>`
  return html`<li id="node-${index}"><details class="${isOnPath ? 'path' : ''}" ${isOnPath ? 'open' : ''}>
<summary>#${index} ${action ?? tree.task} <span class="facts">${facts}</span></summary>
${said}<pre>${textOf(observation)}</pre>
${below.length > 1 ? html`<ul class="tree">${below}</ul>` : ''}</details></li>
${below.length === 1 ? below[0] : ''}`
}

function textOf(observation: Observation): string {
  return observation
    .map((part) => (part.type === 'text' ? part.text : `[picture ${part.media_type} sha256:${part.sha256}]`))
    .join('\n')
}
