import { ChevronDown, ChevronUp } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import type { Tree } from '../../../shared/core/contracts/tree.ts'
import { Button } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Section } from '../../components/section.tsx'
import type { EpisodePlace } from '../../format/addresses.ts'
import { countOf } from '../../format/count-of.ts'
import { usePageKeys } from '../../service/use-page-keys.ts'
import type { PathTurn } from '../../tree/path-turns.ts'
import { alignedRows, isDifference } from './aligned-rows.ts'
import styles from './compare-episodes.module.css'
import { HeadRow, StepRow } from './step-row.tsx'

interface Trajectory {
  place: EpisodePlace
  tree: Tree
  turns: readonly PathTurn[]
}

export function AlignedSteps({ left, right }: { left: Trajectory; right: Trajectory }) {
  const rows = useMemo(() => alignedRows(left.turns, right.turns), [left.turns, right.turns])
  const different = useMemo(() => rows.flatMap((row, at) => (isDifference(row) ? at : [])), [rows])
  const list = useRef<HTMLOListElement>(null)
  const [current, setCurrent] = useState<number | null>(null)

  function go(step: 1 | -1) {
    const next = current === null ? (step === 1 ? 0 : different.length - 1) : current + step
    const row = different[next]
    if (row === undefined) return
    setCurrent(next)
    const element = list.current?.children[row]
    if (!(element instanceof HTMLElement)) return
    element.focus({ preventScroll: true })
    element.scrollIntoView({ block: 'start' })
  }
  usePageKeys((key) => {
    if (key !== 'n' && key !== 'p') return false
    go(key === 'n' ? 1 : -1)
    return true
  })

  if (rows.length === 0) {
    return <EmptyState title="No action yet">Neither episode has taken an action on its path.</EmptyState>
  }
  const places = { left: left.place, right: right.place }
  return (
    <Section
      title="Steps"
      aside={`${countOf(rows.length - different.length, 'step')} equal, ${different.length} different`}
    >
      <div className={styles.differenceBar}>
        <span role="status">
          {different.length === 0
            ? 'Both trajectories are the same.'
            : current === null
              ? countOf(different.length, 'difference')
              : `Difference ${current + 1} of ${different.length}`}
        </span>
        <Button onClick={() => go(-1)} disabled={different.length === 0 || current === 0}>
          <ChevronUp size={16} aria-hidden /> Previous <kbd>p</kbd>
        </Button>
        <Button onClick={() => go(1)} disabled={different.length === 0 || current === different.length - 1}>
          <ChevronDown size={16} aria-hidden /> Next <kbd>n</kbd>
        </Button>
      </div>
      <HeadRow left={left.tree} right={right.tree} />
      <ol ref={list} className={styles.rows}>
        {rows.map((row, at) => (
          <li
            key={`${row.left?.number} ${row.right?.number}`}
            className={styles.row}
            data-different={isDifference(row)}
            aria-current={different[current ?? -1] === at ? 'true' : undefined}
            tabIndex={-1}
          >
            <StepRow row={row} places={places} />
          </li>
        ))}
      </ol>
    </Section>
  )
}
