import { ChevronDown, ChevronRight } from 'lucide-react'
import { formatNumber, noNumber } from '../../../shared/core/client/format-quantity.ts'
import { shortText } from '../../format/short-text.ts'
import { shownValue } from '../../tree/colouring.ts'
import { actionOf, childrenOf, nodeAt } from '../../tree/index-tree.ts'
import { hidesNodes, type MapScene } from '../../tree/map-scene.ts'
import { nodeMark } from '../../tree/node-marks.ts'
import styles from './outline.module.css'
import { ValueChip } from './value-chip.tsx'

const mostIndented = 16

export function OutlineRow({
  scene,
  node,
  top,
  height,
  siblings,
  isBest,
  heads,
  onChoose,
  onToggle,
}: {
  scene: MapScene
  node: number
  top: number
  height: number
  siblings: readonly number[]
  isBest: boolean
  heads: readonly [string, string, string?]
  onChoose: (node: number) => void
  onToggle: (node: number) => void
}) {
  const { index, moment, range, chosen, hits } = scene
  const [visitsWord, valueWord, rewardWord] = heads
  const stored = nodeAt(index, node)
  const visits = moment.visits[node] ?? 0
  const hasChildren = childrenOf(index, node).length > 0
  const isHiding = hidesNodes(scene, node)
  const mark = nodeMark(stored, moment.terminal[node] === 1)
  return (
    <div
      id={`node-${node}`}
      role="treeitem"
      tabIndex={-1}
      aria-level={stored.depth + 1}
      aria-setsize={siblings.length}
      aria-posinset={siblings.indexOf(node) + 1}
      aria-selected={node === chosen}
      aria-expanded={hasChildren ? !isHiding : undefined}
      className={styles.row}
      data-best={isBest}
      data-hit={hits.has(node)}
      style={{ height, transform: `translateY(${top}px)` }}
      onClick={() => onChoose(node)}
      onDoubleClick={() => hasChildren && onToggle(node)}
      onKeyDown={undefined}
    >
      <span
        className={styles.action}
        style={{ paddingLeft: `${Math.min(mostIndented, stored.depth) * 0.9}rem` }}
      >
        <span
          className={styles.toggle}
          aria-hidden
          onClick={(event) => {
            event.stopPropagation()
            if (hasChildren) onToggle(node)
          }}
        >
          {hasChildren && (isHiding ? <ChevronRight size={16} /> : <ChevronDown size={16} />)}
        </span>
        <span className={styles.index}>
          {hits.has(node) && <span className="visually-hidden">match </span>}
          {node}
        </span>
        <bdi className={styles.text}>{shortText(actionOf(stored), 160)}</bdi>
        {node === moment.best && node !== 0 && <span className={styles.answer}>answer</span>}
        {mark !== null && <span className={styles.mark}>{shortMarks[mark]}</span>}
        {isHiding && <span className={styles.mark}>{index.below[node]} hidden</span>}
      </span>
      <span className={styles.figure}>
        <span className="visually-hidden">{visitsWord.toLowerCase()} </span>
        {visits}
      </span>
      <span className={styles.figure}>
        <span className="visually-hidden">{valueWord.toLowerCase()} </span>
        <ValueChip value={shownValue(scene, node)} range={range} />
      </span>
      {rewardWord !== undefined && (
        <span className={styles.figure}>
          <span className="visually-hidden">{rewardWord.toLowerCase()} </span>
          {stored.reward === 0 ? noNumber : formatNumber(stored.reward)}
        </span>
      )}
    </div>
  )
}

const shortMarks = {
  done: 'task ended',
  disaster: 'punished',
  invalid: 'invalid',
  exhausted: 'nothing left below',
} as const
