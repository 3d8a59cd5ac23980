import type { LedgerItem, LedgerKey } from '../world/ports.ts'

/** A host as the registry knows it. Times are milliseconds since the epoch. */
export type HostRow = {
  /** As the world names it. */
  id: string
  image: string
  /** Where it listens, once it runs. */
  address: string | null
  /** Slots are leased on a running host only. The fleet looks once more whether a leaving one is free before it stops it. */
  status: 'starting' | 'running' | 'leaving' | 'stopping'
  /** What it wants to see with every call; absent of hosts that versions before launched, which ask for nothing. */
  access_key?: string
  /** Sessions it may hold. */
  slots: number
  /** Sessions it held when it was last looked at. */
  sessions: number
  /** It said itself that it is about to leave. */
  draining: boolean
  launched_at: number
  /** When it last answered that it is well; null as long as it never did. */
  seen_at: number | null
  /** Since when it holds no session, as it said when it was last looked at; null while it holds one. */
  idle_since: number | null
}

export const hostKeys = {
  host: (id: string): LedgerKey => ({ partition: 'hosts', sort: id }),
  /** The lease of one slot of a host; its sort is the name of the session in it. */
  slot: (host: string, session: string): LedgerKey => ({ partition: `hosts/${host}/slots`, sort: session }),
  /** The slots that a caller waits for. */
  demand: (image: string, who: string): LedgerKey => ({ partition: `host-demand/${image}`, sort: who }),
  /** Why hosts of the image do not start. */
  fault: (image: string): LedgerKey => ({ partition: 'fleet-faults', sort: image }),
  /** Until when the scaler need not be called. */
  scaler: { partition: 'fleets', sort: ' scaler' } satisfies LedgerKey,
  fleet: (image: string): LedgerKey => ({ partition: 'fleets', sort: image }),
  /** What the access keys of the fleet's hosts are made of. */
  fleetSecret: (image: string): LedgerKey => ({ partition: 'fleet-secrets', sort: image }),
}

export function toHostRow(item: LedgerItem): HostRow {
  return item as HostRow
}
