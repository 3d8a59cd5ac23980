import { connection } from '../service/connection.ts'
import { useStore } from '../service/store.ts'
import styles from './shell.module.css'

/** Says that no service answers, as long as none does. It lies over the page, so that nothing jumps. */
export function ConnectionNotice() {
  const isLost = useStore(connection) === 'lost'
  return (
    <div role="status" className={styles.connectionPlace}>
      {isLost && (
        <p className={styles.connectionNotice}>
          The service does not answer. What you see is as it was; the page goes on by itself as soon as the
          service is back.
        </p>
      )}
    </div>
  )
}
