import { nanoPerDollar } from '../../contracts/money.ts'
import type { LedgerKey, World } from '../../world/ports.ts'
import { ledgerKeys } from '../keys.ts'
import type { RunRow } from '../runs/run-row.ts'
import type { Amount } from './amount.ts'
import { leasesKey, readLeases } from './run-leases.ts'
import { readTenant, type TenantRow } from './tenant-row.ts'

export interface Caps {
  of: 'run' | 'tenant'
  key: LedgerKey
  cap_cost: number | null
  cap_tokens: number | null
  leased_cost: number
  leased_tokens: number
  revision: number
}

// The number of calls per lease, and the maximum share of the remainder that a lease may take.
const leaseSize = { calls: 16, share: 1 / 4 }

export async function readCaps(world: World, run: RunRow): Promise<Caps[]> {
  const { cap_cost, cap_tokens, revision } = run
  const isCapped = cap_cost !== null || cap_tokens !== null
  const leases = isCapped ? await readLeases(world.ledger, run) : { leased_cost: 0, leased_tokens: 0 }
  return [
    { of: 'run', key: leasesKey(run), cap_cost, cap_tokens, ...leases, revision },
    tenantCaps(await readTenant(world.ledger, run.tenant), run.tenant),
  ]
}

function tenantCaps(row: TenantRow, tenant: string): Caps {
  return { of: 'tenant', key: ledgerKeys.tenant(tenant), ...row }
}

export function leaseUnder(
  all: readonly Caps[],
  wanted: Amount,
  free: Amount,
): { lease: Amount } | { reached: Caps; cap: 'cost' | 'tokens' } {
  const lease = { cost: 0, tokens: 0 }
  for (const cap of ['cost', 'tokens'] as const) {
    const parts: number[] = []
    for (const caps of all) {
      const part = leaseOf(caps[`cap_${cap}`], caps[`leased_${cap}`], wanted[cap], free[cap])
      if (part === 'reached') return { reached: caps, cap }
      if (part !== 'unlimited') parts.push(part)
    }
    lease[cap] = parts.length === 0 ? 0 : Math.min(...parts)
  }
  return { lease }
}

function leaseOf(
  cap: number | null,
  leased: number,
  wanted: number,
  free: number,
): number | 'unlimited' | 'reached' {
  if (cap === null) return 'unlimited'
  const missing = Math.max(0, wanted - free)
  const left = cap - leased
  if (missing > left) return 'reached'
  return Math.max(missing, Math.min(wanted * leaseSize.calls, Math.floor(left * leaseSize.share)))
}

export function explainUnpriced(tenant: string, which = ''): string {
  return `The tenant "${tenant}" has a limit on cost, and a model of this run has no price${which}. Have prices added to the endpoint's configuration and begin a new run, or have the limit lifted.`
}

interface CapState {
  spent: number
  reserved: number
  wanted: number
  ended: readonly [number, number]
}

export function explainCap(
  { of, cap_cost, cap_tokens }: Caps,
  cap: 'cost' | 'tokens',
  { spent, reserved, wanted, ended: [done, all] }: CapState,
): string {
  const show = (amount: number) =>
    cap === 'cost' ? `$${(amount / nanoPerDollar).toFixed(4)}` : `${amount} tokens`
  const limit = show((cap === 'cost' ? cap_cost : cap_tokens) ?? 0)
  const held = reserved > 0 ? `, ${show(reserved)} more are reserved` : ''
  const state = `${show(spent)} of ${limit} are spent${held}, and the next call can take up to ${show(wanted)}; ${done} of ${all} episodes have ended`
  return of === 'run'
    ? `limits.${cap} reached: ${state}. Resume with a higher limits.${cap}.`
    : `The tenant's limit on ${cap} is reached: ${state}. Ask the operator of the service to raise it (espalier limits set), then resume.`
}
