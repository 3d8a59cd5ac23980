import type { RunEvent } from '../../contracts/run-event.ts'
import type { LedgerChange, LedgerKey } from '../../world/ports.ts'
import { ledgerKeys } from '../keys.ts'
import { toEventItem } from './run-events.ts'
import { isFinal, type RunRow } from './run-row.ts'
import type { RunChange, RunDecision } from './run-store.ts'

const mostChanges = 100

// Bytes of the events of a transaction, which are one item; an item has 400 KiB at most.
const mostEventBytes = 300_000

export interface CombinedChanges {
  changes: LedgerChange[]
  owners: (number | null)[]
  rows: RunRow[]
}

/**
 * Applies each decision to the row left by the one before, and combines their changes into one transaction
 * conditional on the row as it was read. It stops before a decision that would change an item twice, or exceed the
 * bounds.
 */
export function combineChanges(row: RunRow, decisions: RunDecision[], now: number): CombinedChanges {
  const others: { owner: number; change: LedgerChange }[] = []
  const events: RunEvent[] = []
  const keys = new Set<string>()
  const rows: RunRow[] = []
  const created_at = new Date(now).toISOString()
  let bytes = 0
  let set: Partial<RunRow> = {}
  let after = row
  for (const [owner, decide] of decisions.entries()) {
    const decided = decide(after)
    if (decided !== null) {
      const own = changesBeside(after, decided)
      const happened = eventsOf(after, decided, created_at)
      const names = own.map(({ key }) => nameOf(key))
      const size = Buffer.byteLength(JSON.stringify(happened))
      const fits = others.length + own.length + 2 <= mostChanges && bytes + size <= mostEventBytes
      if (rows.length > 0 && (!fits || names.some((name) => keys.has(name)))) break
      for (const name of names) keys.add(name)
      for (const change of own) others.push({ owner, change })
      events.push(...happened)
      bytes += size
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
  const stored = toEventItem(row.id, events)
  return {
    changes: [own, ...stored, ...others.map(({ change }) => change)],
    owners: [null, ...stored.map(() => null), ...others.map(({ owner }) => owner)],
    rows,
  }
}

function changesBeside(row: RunRow, { others = [], set = {} }: RunChange): LedgerChange[] {
  const isEnd = isFinal(set.status ?? row.status)
  return [...(isEnd ? [{ key: ledgerKeys.openRun(row.id), delete: true as const }] : []), ...others]
}

function eventsOf(row: RunRow, change: RunChange, created_at: string): RunEvent[] {
  const { events = [] } = change
  const before = nextSequence(row, change) - events.length
  return events.map((event, index) => ({ ...event, sequence: before + 1 + index, created_at }) as RunEvent)
}

function nextSequence({ sequence }: RunRow, { events = [] }: RunChange): number {
  return sequence + Math.max(1, events.length)
}

function nameOf({ partition, sort }: LedgerKey): string {
  return `${partition}\n${sort}`
}
