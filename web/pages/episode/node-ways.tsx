import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { shortText } from '../../format/short-text.ts'
import { actionOf, childrenOf, nodeAt, type TreeIndex } from '../../tree/index-tree.ts'
import styles from './node-panel.module.css'

const some = 8

export function NodeWays({
  index,
  node,
  onChoose,
}: {
  index: TreeIndex
  node: number
  onChoose: (node: number) => void
}) {
  const [shown, setShown] = useState(some)
  const { parent } = nodeAt(index, node)
  const children = childrenOf(index, node)
  if (parent === null && children.length === 0) return null
  return (
    <nav aria-label="From this node" className={styles.nodeWays}>
      {parent !== null && <Way index={index} node={parent} label="parent" onChoose={onChoose} />}
      {children.slice(0, shown).map((child) => (
        <Way key={child} index={index} node={child} label="child" onChoose={onChoose} />
      ))}
      {children.length > shown && (
        <Button onClick={() => setShown(shown + some * 5)}>{children.length - shown} more children</Button>
      )}
    </nav>
  )
}

function Way({
  index,
  node,
  label,
  onChoose,
}: {
  index: TreeIndex
  node: number
  label: string
  onChoose: (node: number) => void
}) {
  return (
    <button type="button" className={styles.nodeWay} onClick={() => onChoose(node)}>
      <span className={styles.wayLabel}>
        {label} {node}
      </span>
      <bdi className={styles.wayAction}>{shortText(actionOf(nodeAt(index, node)), 120)}</bdi>
    </button>
  )
}
