import type { ActionLineage } from '../../../shared/core/contracts/library.ts'
import { showControls } from '../../format/show-controls.ts'
import styles from './library-page.module.css'

const changes: Record<ActionLineage['change'], string> = {
  created: 'written',
  updated: 'rewritten',
  noted: 'given a note',
}

export function ActionHistory({ lineage }: { lineage: readonly ActionLineage[] }) {
  if (lineage.length === 0) return null
  return (
    <>
      <h4 className={styles.historyHeading}>Where it comes from</h4>
      <ol className={styles.historySteps}>
        {lineage.map(({ candidate, change, reason, round }) => (
          <li key={`${round} ${candidate} ${change}`}>
            {round === 0 ? 'First' : `Round ${round}`}: {changes[change]} by candidate {candidate}
            {reason !== null && (
              <>
                , because <bdi>{showControls(reason)}</bdi>
              </>
            )}
          </li>
        ))}
      </ol>
    </>
  )
}
