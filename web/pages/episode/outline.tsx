import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react'
import { childrenOf, nodeAt } from '../../tree/index-tree.ts'
import type { MapScene } from '../../tree/map-scene.ts'
import { bestPath } from '../../tree/map-scene.ts'
import { outlineKey } from '../../tree/outline-key.ts'
import { visibleNodes } from '../../tree/visible-nodes.ts'
import styles from './outline.module.css'
import { OutlineRow } from './outline-row.tsx'

/** In pixels. */
const rowHeight = 32

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
    estimateSize: () => rowHeight,
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
                height={rowHeight}
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
