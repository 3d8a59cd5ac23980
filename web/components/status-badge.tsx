import type { StatusWord } from '../../shared/core/client/status-words.ts'
import type { WorkerInfo } from '../../shared/core/contracts/machine.ts'
import type { ServerState } from '../../shared/core/contracts/model-server.ts'
import styles from './figures.module.css'

/** The API's status values have no badge: `succeeded` and `limited` do not compile here. */
type BadgeWord = StatusWord | ServerState | WorkerInfo['status'] | 'waiting' | 'held' | 'ready' | 'not ready'

const looks: Record<BadgeWord, string | undefined> = {
  solved: styles.statusGood,
  ready: styles.statusGood,
  'not solved': styles.statusBad,
  failed: styles.statusBad,
  'ended with an error': styles.statusBad,
  'out of steps or budget': styles.statusWarn,
  'out of steps': styles.statusWarn,
  'out of turns': styles.statusWarn,
  'out of tokens': styles.statusWarn,
  'out of money': styles.statusWarn,
  'out of time': styles.statusWarn,
  paused: styles.statusWarn,
  'not ready': styles.statusWarn,
  running: styles.statusInfo,
  playing: styles.statusInfo,
  idle: styles.statusPlain,
  leaving: styles.statusWarn,
  silent: styles.statusBad,
  starting: styles.statusInfo,
  completed: styles.statusPlain,
  cancelled: styles.statusPlain,
  held: styles.statusPlain,
  queued: styles.statusPlain,
  stopped: styles.statusPlain,
  waiting: styles.statusPlain,
}

export function StatusBadge({ status }: { status: BadgeWord }) {
  return <span className={`${styles.statusBadge} ${looks[status]}`}>{status}</span>
}
