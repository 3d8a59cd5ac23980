import { formatNumber } from '../../shared/core/client/format-quantity.ts'
import type { Growth, GrowthEvent } from '../../shared/core/contracts/growth.ts'
import type { Tree } from '../../shared/core/contracts/tree.ts'
import { shortText } from '../format/short-text.ts'

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
