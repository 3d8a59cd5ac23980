import type { RunEvent } from '../../contracts/run-event.ts'
import { conditionsHold } from '../../world/apply-change.ts'
import type { LedgerChange, LedgerItem } from '../../world/ports.ts'
import { ledgerKeys } from '../keys.ts'
import { isOver, type RunRow } from '../runs/run-row.ts'
import { type CheckedChanges, hasOnly, type LedgerGuard, namesOnly, refusedTo } from './change-checks.ts'

const names = [
  ...['status', 'reason', 'running_since', 'running_milliseconds', 'counted_at', 'ended_at', 'started_at'],
  ...['sequence', 'last_problem', 'warnings', 'preflight', 'answers_checked'],
]
const mostEvents = 100

/**
 * Permits the engine's changes of a run whose messages a worker has: it starts, pauses with a reason, or has a problem.
 * Counters, caps, the cursor and its end are the service's.
 */
export async function checkRunChanges(guard: LedgerGuard, changes: LedgerChange[]): Promise<CheckedChanges> {
  const [first, second, ...more] = changes as [LedgerChange, LedgerChange?]
  const [, run = '', part] = first.key.partition.split('/')
  const doing = `change the run ${run}`
  const row = await guard.book.ownRun(run)
  const isRun = part === undefined && first.key.sort === 'run'
  if (!isRun || more.length > 0 || !(await guard.book.hasRun(run))) throw refusedTo(doing)
  if (!conditionsHold(row as unknown as LedgerItem, first.if))
    return { failed: 0, item: row as unknown as LedgerItem }
  hasOnly(first, ['set', 'if'], doing)
  namesOnly(first.set, names, doing)
  const set = (first.set ?? {}) as Partial<RunRow>
  const isBased = first.if?.some(
    (one) => one.is === 'equal' && one.attribute === 'sequence' && one.value === row.sequence,
  )
  if (!isBased || isOver(row) || !isStep(row, set)) throw refusedTo(doing)
  if (second !== undefined) checkEvents(second, run, set.sequence as number, doing)
  return changes
}

function isStep(row: RunRow, set: Partial<RunRow>): boolean {
  const { sequence = 0, status = row.status, running_milliseconds = row.running_milliseconds } = set
  const ahead = sequence - row.sequence
  const begins = status === 'running' && row.status === 'queued'
  const pauses = status === 'paused' && typeof set.reason === 'string'
  const isKnown = status === row.status || begins || pauses
  const isTimed = running_milliseconds >= row.running_milliseconds && (set.ended_at ?? null) === null
  const isProbed = set.preflight === undefined || set.preflight === null || set.preflight === 'passed'
  const isChecked = set.answers_checked === undefined || set.answers_checked === true
  return (
    Number.isInteger(ahead) &&
    ahead >= 1 &&
    ahead <= mostEvents &&
    isKnown &&
    isTimed &&
    isProbed &&
    isChecked
  )
}

function checkEvents(change: LedgerChange, run: string, sequence: number, doing: string): void {
  hasOnly(change, ['set'], doing)
  const { partition, sort } = ledgerKeys.event(run, sequence)
  if (change.key.partition !== partition || change.key.sort !== sort) throw refusedTo(doing)
  const item = (change.set ?? {}) as unknown as RunEvent | { events: RunEvent[] }
  const events = 'events' in item ? item.events : [item]
  for (const { type } of events) if (type !== 'run.status' && type !== 'run.problem') throw refusedTo(doing)
}
