import type { LedgerChange, LedgerKey } from '../../world/ports.ts'
import { ledgerKeys } from '../keys.ts'
import { isFinal, type RunRow } from './run-row.ts'
import type { RunChange, RunDecision } from './run-store.ts'

/** As many as a transaction of the ledger holds. */
const mostChanges = 100

/** Several changes of a run as one transaction. */
export interface CombinedChanges {
  /** What is to be changed, the run's own row first; empty where no decision changes anything. */
  changes: LedgerChange[]
  /** Of each change, the position of the decision that it is from; null for the run's own row. */
  owners: (number | null)[]
  /** The row after each decision. It has fewer entries than there are decisions where the others do not fit. */
  rows: RunRow[]
}

/**
 * Lets each decision see the row as the one before it leaves it, and puts what they change into one transaction that holds only
 * on the row as it was read. It ends before a decision that would change an item for the second time, or one too many.
 */
export function combineChanges(row: RunRow, decisions: RunDecision[], now: number): CombinedChanges {
  const others: { owner: number; change: LedgerChange }[] = []
  const keys = new Set<string>()
  const rows: RunRow[] = []
  let set: Partial<RunRow> = {}
  let after = row
  for (const [owner, decide] of decisions.entries()) {
    const decided = decide(after)
    if (decided !== null) {
      const own = changesBeside(after, decided, now)
      const names = own.map(({ key }) => nameOf(key))
      const fits = others.length + own.length < mostChanges && !names.some((name) => keys.has(name))
      if (!fits && rows.length > 0) break
      for (const name of names) keys.add(name)
      for (const change of own) others.push({ owner, change })
      const changed = { ...decided.set, sequence: nextSequence(after, decided) }
      set = { ...set, ...changed }
      after = { ...after, ...changed }
    }
    rows.push(after)
  }
  if (after === row) return { changes: [], owners: [], rows }
  const own: LedgerChange = {
    key: ledgerKeys.run(row.id),
    set,
    if: [{ attribute: 'sequence', is: 'equal', value: row.sequence }],
  }
  return {
    changes: [own, ...others.map(({ change }) => change)],
    owners: [null, ...others.map(({ owner }) => owner)],
    rows,
  }
}

/** What one decision changes beside the run's row: its events, the mark of an open run, and what else it names. */
function changesBeside(row: RunRow, change: RunChange, now: number): LedgerChange[] {
  const { events = [], others = [], set = {} } = change
  const before = nextSequence(row, change) - events.length
  const created_at = new Date(now).toISOString()
  const isEnd = isFinal(set.status ?? row.status)
  return [
    ...events.map((event, index): LedgerChange => {
      const sequence = before + 1 + index
      return { key: ledgerKeys.event(row.id, sequence), set: { ...event, sequence, created_at } }
    }),
    ...(isEnd ? [{ key: ledgerKeys.openRun(row.id), delete: true as const }] : []),
    ...others,
  ]
}

function nextSequence({ sequence }: RunRow, { events = [] }: RunChange): number {
  return sequence + Math.max(1, events.length)
}

function nameOf({ partition, sort }: LedgerKey): string {
  return `${partition}\n${sort}`
}
