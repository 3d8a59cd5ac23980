import { formatCount } from '../../../shared/core/client/format-quantity.ts'
import styles from './list.module.css'

export function SortedNote({ count }: { count: number }) {
  return (
    <p role="status" className={styles.note}>
      Only the newest {formatCount(count)} are sorted. To read older ones, show more until the end of the
      list.
    </p>
  )
}
