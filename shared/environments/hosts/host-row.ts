import type { LedgerItem, LedgerKey } from '../../core/world/ports.ts'

/** A host in the registry. Times are milliseconds since the epoch. */
export type HostRow = {
  id: string
  image: string
  address: string | null
  /**
   * Slots are leased on a running host only. Before the fleet stops a leaving one, it checks once more that it is
   * free.
   */
  status: 'starting' | 'running' | 'leaving' | 'stopping'
  /** The key it requires with every call; absent for hosts launched by earlier versions, which require none. */
  access_key?: string
  slots: number
  sessions: number
  draining: boolean
  launched_at: number
  seen_at: number | null
  /** Since when it holds no session, by its last check; null while it holds one. */
  idle_since: number | null
}

export const hostKeys = {
  host: (id: string): LedgerKey => ({ partition: 'hosts', sort: id }),
  slot: (host: string, session: string): LedgerKey => ({ partition: `hosts/${host}/slots`, sort: session }),
  demand: (image: string, who: string): LedgerKey => ({ partition: `host-demand/${image}`, sort: who }),
  fault: (image: string): LedgerKey => ({ partition: 'fleet-faults', sort: image }),
  scaler: { partition: 'fleets', sort: ' scaler' } satisfies LedgerKey,
  fleet: (image: string): LedgerKey => ({ partition: 'fleets', sort: image }),
  fleetSecret: (image: string): LedgerKey => ({ partition: 'fleet-secrets', sort: image }),
}

// Patterns of all partitions above, and of the launches that a world of AWS records.
export const hostPartitions: readonly string[] = [
  'hosts',
  'hosts/*',
  'host-demand/*',
  'host-launches/*',
  'fleet-faults',
  'fleet-secrets',
  'fleets',
]

export function toHostRow(item: LedgerItem): HostRow {
  return item as HostRow
}
