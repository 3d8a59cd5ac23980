import { html } from 'hono/html'
import { formatNumber } from '../../shared/core/client/format-quantity.ts'
import type { Observation } from '../../shared/core/contracts/message.ts'
import type { Tree } from '../../shared/core/contracts/tree.ts'
import type { Markup } from './page.ts'

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
