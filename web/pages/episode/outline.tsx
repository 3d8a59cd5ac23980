import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react'
import { childrenOf, nodeAt, type TreeIndex } from '../../tree/index-tree.ts'
import { bestPath, type MapScene } from '../../tree/map-scene.ts'
import { visibleNodes } from '../../tree/visible-nodes.ts'
import styles from './outline.module.css'
import { OutlineRow } from './outline-row.tsx'

const rowHeightPixels = 32

export function Outline({
  scene,
  onChoose,
  onToggle,
  onOpen,
  heads = ['Visits', 'Value', 'Reward'],
}: {
  scene: MapScene
  onChoose: (node: number) => void
  onToggle: (node: number) => void
  onOpen: () => void
  // The words for visits, value and reward; without a third one there are no rewards.
  heads?: readonly [string, string, string?]
}) {
  const { index, collapsed, moment, chosen } = scene
  const frame = useRef<HTMLDivElement>(null)
  const rows = useMemo(
    () => visibleNodes(index, collapsed).filter((node) => node < moment.count),
    [index, collapsed, moment.count],
  )
  const best = useMemo(() => bestPath({ index, moment }), [index, moment])
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeightPixels,
    overscan: 12,
  })
  const active = chosen === null ? 0 : Math.max(0, rows.indexOf(chosen))

  useEffect(() => {
    if (chosen !== null) virtual.scrollToIndex(active, { align: 'auto' })
  }, [chosen, active, virtual])

  function press(event: KeyboardEvent) {
    if (event.ctrlKey || event.altKey || event.metaKey) return
    const step = outlineKey(event.key, { index, rows, collapsed, at: active })
    if (step === null) return
    event.preventDefault()
    if ('choose' in step) onChoose(step.choose)
    else if ('toggle' in step) onToggle(step.toggle)
    else onOpen()
  }

  return (
    <div className={styles.outline}>
      <div className={styles.head} aria-hidden>
        <span className={styles.action}>Action</span>
        {heads.map((head) => (
          <span key={head} className={styles.figure}>
            {head}
          </span>
        ))}
      </div>
      <div
        ref={frame}
        role="tree"
        aria-label="Nodes of the tree"
        aria-activedescendant={`node-${rows[active] ?? 0}`}
        tabIndex={0}
        className={styles.rows}
        onKeyDown={press}
      >
        <div role="presentation" className={styles.sizer} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index: row, start }) => {
            const node = rows[row] as number
            const { parent } = nodeAt(index, node)
            const siblings = parent === null ? [node] : childrenOf(index, parent)
            return (
              <OutlineRow
                key={node}
                scene={scene}
                node={node}
                top={start}
                height={rowHeightPixels}
                siblings={siblings}
                isBest={best.has(node)}
                heads={heads}
                onChoose={onChoose}
                onToggle={onToggle}
              />
            )
          })}
        </div>
      </div>
    </div>
  )
}

type OutlineStep = { choose: number } | { toggle: number } | { open: true }

const page = 15

/**
 * The action of a key, following the ARIA pattern for trees. Up and down move through the visible rows. Right expands
 * a node or moves to its first child; left collapses it or moves to its parent. Null if the key has no action.
 *
 * @param rows - the visible nodes in order
 * @param at - the position of the active node among them
 * @see https://www.w3.org/WAI/ARIA/apg/patterns/treeview/
 */
export function outlineKey(
  key: string,
  {
    index,
    rows,
    collapsed,
    at,
  }: { index: TreeIndex; rows: readonly number[]; collapsed: ReadonlySet<number>; at: number },
): OutlineStep | null {
  const node = rows[at]
  if (node === undefined) return null
  const isInner = childrenOf(index, node).length > 0
  const isOpen = isInner && !collapsed.has(node)
  const row = (position: number): OutlineStep => ({
    choose: rows[Math.min(rows.length - 1, Math.max(0, position))] ?? node,
  })
  switch (key) {
    case 'ArrowDown':
      return row(at + 1)
    case 'ArrowUp':
      return row(at - 1)
    case 'PageDown':
      return row(at + page)
    case 'PageUp':
      return row(at - page)
    case 'Home':
      return row(0)
    case 'End':
      return row(rows.length - 1)
    case 'ArrowRight':
      if (isOpen) return { choose: childrenOf(index, node)[0] ?? node }
      return isInner ? { toggle: node } : { choose: node }
    case 'ArrowLeft':
      return isOpen ? { toggle: node } : { choose: nodeAt(index, node).parent ?? node }
    case ' ':
      return isInner ? { toggle: node } : { choose: node }
    case 'Enter':
      return { open: true }
    default:
      return null
  }
}
