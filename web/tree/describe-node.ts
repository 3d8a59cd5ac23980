import { formatNumber } from '../../shared/core/client/format-quantity.ts'
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
