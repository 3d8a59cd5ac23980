import { formatCount } from '../../../shared/client/format-quantity.ts'
import type { NoteUses } from '../../../shared/contracts/memory.ts'
import { countOf } from '../../format/count-of.ts'
import styles from './memory-page.module.css'

/** Over how many episodes uses are counted. It keeps its line while they are on their way. */
export function UsesSummary({ uses }: { uses: NoteUses | undefined }) {
  return (
    <p className={styles.usesSummary} aria-live="polite">
      {uses === undefined ? 'Looking for where they were shown …' : describeUses(uses)}
    </p>
  )
}

function describeUses({ episodes: { read, total }, uses }: NoteUses): string {
  const shown = uses.reduce((sum, { count }) => sum + count, 0)
  const over =
    read < total
      ? `a sample of ${formatCount(read)} of ${countOf(total, 'episode')}`
      : countOf(total, 'episode')
  if (uses.length === 0) return `Not one of them was shown in ${over}.`
  return `${formatCount(uses.length)} ${uses.length === 1 ? 'note was' : 'notes were'} shown, ${formatCount(shown)} times in all, in ${over}.`
}
