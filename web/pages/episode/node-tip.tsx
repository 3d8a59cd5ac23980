import { formatNumber, noNumber } from '../../../shared/core/client/format-quantity.ts'
import { countOf } from '../../format/count-of.ts'
import { shortText } from '../../format/short-text.ts'
import { actionOf, nodeAt } from '../../tree/index-tree.ts'
import type { MapScene } from '../../tree/map-scene.ts'
import { markWords, nodeMark } from '../../tree/node-marks.ts'
import styles from './tree-map.module.css'

export interface TipPlace {
  node: number
  x: number
  y: number
}

export function NodeTip({ scene, place: { node, x, y } }: { scene: MapScene; place: TipPlace }) {
  const { index, moment } = scene
  const stored = nodeAt(index, node)
  const visits = moment.visits[node] ?? 0
  const mark = nodeMark(stored, moment.terminal[node] === 1)
  return (
    <div className={styles.nodeTip} style={{ left: x, top: y }} aria-hidden>
      <p>
        <span className={styles.nodeTipIndex}>{node}</span> <bdi>{shortText(actionOf(stored), 200)}</bdi>
      </p>
      <p className={styles.nodeTipFigures}>
        value {visits === 0 ? noNumber : formatNumber(moment.values[node] ?? 0)} · {countOf(visits, 'visit')}
        {stored.reward !== 0 && ` · reward ${formatNumber(stored.reward)}`}
      </p>
      {mark !== null && <p className={styles.nodeTipFigures}>{markWords[mark]}</p>}
    </div>
  )
}
