import { formatNumber } from '../../shared/core/client/format-quantity.ts'
import type { Growth, GrowthEvent } from '../../shared/core/contracts/growth.ts'
import type { Tree } from '../../shared/core/contracts/tree.ts'
import { shortText } from '../format/short-text.ts'
import { modelOf } from './colouring.ts'
import { actionOf, nodeAt } from './index-tree.ts'
import type { MapScene } from './map-scene.ts'
import { markWords, nodeMark } from './node-marks.ts'

export function describeNode(
  { colouring, index, moment }: Pick<MapScene, 'colouring' | 'index' | 'moment'>,
  node: number,
): string {
  const stored = nodeAt(index, node)
  const visits = moment.visits[node] ?? 0
  const mark = nodeMark(stored, moment.terminal[node] === 1)
  const model = modelOf(colouring, node)
  return [
    `Node ${node}: ${shortText(actionOf(stored), 200)}`,
    visits === 0 ? 'not visited' : `value ${formatNumber(moment.values[node] ?? 0)}`,
    ...(visits === 0 ? [] : [`${visits} visit${visits === 1 ? '' : 's'}`]),
    ...(stored.reward === 0 ? [] : [`reward ${formatNumber(stored.reward)}`]),
    ...(mark === null ? [] : [markWords[mark]]),
    ...(model === undefined ? [] : [`by ${model}`]),
    ...(node === moment.best && node !== 0 ? ['the answer ends here'] : []),
  ].join(', ')
}

const mostDescribed = 4

export function describeStep(tree: Tree, { steps }: Growth, happened: number): string {
  if (happened === 0) return 'The search begins with its root.'
  const events = steps[happened - 1]?.events ?? []
  const described = events.slice(0, mostDescribed).map((event) => describeEvent(tree, event))
  const more = events.length - described.length
  return [...described, ...(more > 0 ? [`${more} more`] : [])].join(' · ')
}

function describeEvent({ nodes }: Tree, event: GrowthEvent): string {
  if (event.type === 'value') return `value ${formatNumber(event.value)} backed up from node ${event.node}`
  if (event.type === 'commit') return `decided for node ${event.node}`
  const node = nodes[event.node]
  if (node === undefined) return `node ${event.node} added`
  return `node ${event.node} added below ${node.parent}: ${shortText(node.action ?? '', 80)}`
}
