import type { Ledger, LedgerItem, LedgerKey } from './ports.ts'

/** One holder's exclusive right until it expires. Times are milliseconds since the epoch. */
export interface Lease {
  key: LedgerKey
  holder: string
  /** Grows with every change of holder: a smaller one shows that its sender is late. */
  token: number
  expires_at: number
}

export interface LeaseTerm {
  /** The present time. Holders on several machines should differ by only a small fraction of `duration`. */
  now: number
  duration: number
}

/** A lease longer than this many requested terms was written by a clock that ran ahead. */
const longestTerms = 2

/**
 * Takes the lease of a key if it is free or has expired. Of any number of concurrent callers exactly one gets it.
 * @param holder a name of the caller alone: a holder that calls again gets the lease it already has, so a lost answer
 * does no harm
 * @returns null if another holds it
 */
export async function acquireLease(
  ledger: Ledger,
  key: LedgerKey,
  holder: string,
  { now, duration }: LeaseTerm,
): Promise<Lease | null> {
  const expires_at = now + duration
  const take = { key, set: { holder, expires_at }, add: { token: 1 } }
  let tried = await ledger.update({ ...take, if: [{ attribute: 'expires_at', is: 'at_most', value: now }] })
  if (!tried.ok && tried.item === null) tried = await ledger.update({ ...take, if: [{ is: 'absent' }] })
  const held = leaseIn(key, tried.item)
  if (held !== null && held.holder !== holder && held.expires_at > now + longestTerms * duration) {
    // No holder takes a lease for so long: the clock has been set back since, and the lease would outlive its holder.
    const { expires_at: end, token } = held
    tried = await ledger.update({
      ...take,
      if: [
        { attribute: 'expires_at', is: 'equal', value: end },
        { attribute: 'token', is: 'equal', value: token },
      ],
    })
  }
  const lease = leaseIn(key, tried.item)
  return lease?.holder === holder ? lease : null
}

/**
 * Extends a lease for another `duration` from now. An expired lease is renewed too if no other holder took it since.
 * @returns null if the lease is lost: another took it, or it was released
 */
export async function renewLease(
  ledger: Ledger,
  lease: Lease,
  { now, duration }: LeaseTerm,
): Promise<Lease | null> {
  const { key, holder, token } = lease
  const { ok, item } = await ledger.update({
    key,
    set: { expires_at: now + duration },
    if: [
      { attribute: 'holder', is: 'equal', value: holder },
      { attribute: 'token', is: 'equal', value: token },
    ],
  })
  return ok ? leaseIn(key, item) : null
}

export async function readLease(ledger: Ledger, key: LedgerKey): Promise<Lease | null> {
  return leaseIn(key, await ledger.get(key))
}

export async function releaseLease(ledger: Ledger, { key, holder, token }: Lease): Promise<void> {
  await ledger.update({
    key,
    set: { expires_at: 0 },
    remove: ['holder'],
    if: [
      { attribute: 'holder', is: 'equal', value: holder },
      { attribute: 'token', is: 'equal', value: token },
    ],
  })
}

function leaseIn(key: LedgerKey, item: LedgerItem | null): Lease | null {
  if (item === null) return null
  const { holder, token, expires_at } = item
  const held = typeof holder === 'string' && typeof token === 'number' && typeof expires_at === 'number'
  return held ? { key, holder, token, expires_at } : null
}
