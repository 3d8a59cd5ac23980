import { acquireLease, type Lease, readLease, releaseLease, renewLease } from '../../core/world/lease.ts'
import { pagesOf } from '../../core/world/pages-of.ts'
import type { Clock, Ledger } from '../../core/world/ports.ts'

export const usualAccelerator = 'gpu'

export const noAccelerator = 'none'

/** Milliseconds of a lease without renewal: a killed process frees its accelerator after that. */
const leaseFor = 60_000
/** Maximum milliseconds between renewals. */
export const renewEvery = 15_000
/** Milliseconds for which a refused request counts as waiting: it retries sooner than that. */
const waitLasts = 15_000

export interface AcceleratorNeeds {
  ledger: Ledger
  clock: Pick<Clock, 'now'>
}

export type AcceleratorHolder = `${'training' | 'serving'}/${string}`

/**
 * Shares accelerators between trainings and model servers: an accelerator's memory fits one at a time. Waiters get it
 * in the order in which they began to wait, so that none starve. A holder is identified only by its name: any process
 * may act for it. A machine without an accelerator needs no lease.
 */
export function openAccelerators({ ledger, clock }: AcceleratorNeeds) {
  const keyOf = (device: string) => ({ partition: 'accelerators', sort: device })
  const waitingFor = (device: string) => `accelerators/${device}/waiting`
  const term = () => ({ now: clock.now(), duration: leaseFor })

  async function leaseOf(device: string): Promise<Lease | null> {
    const lease = await readLease(ledger, keyOf(device))
    return lease === null || lease.expires_at <= clock.now() ? null : lease
  }

  async function waiting(device: string): Promise<string[]> {
    const now = clock.now()
    const found: { who: string; since: number }[] = []
    for await (const page of pagesOf(ledger, waitingFor(device))) {
      for (const { sort, item } of page) {
        if (Math.abs(now - Number(item.seen)) < waitLasts)
          found.push({ who: sort, since: Number(item.since) })
        else await leave(device, sort)
      }
    }
    return found
      .toSorted((one, other) => one.since - other.since || (one.who < other.who ? -1 : 1))
      .map(({ who }) => who)
  }

  async function noteWait(device: string, holder: AcceleratorHolder): Promise<void> {
    const key = { partition: waitingFor(device), sort: holder }
    const now = clock.now()
    const { ok } = await ledger.update({ key, set: { seen: now }, if: [{ is: 'present' }] })
    if (!ok) await ledger.update({ key, set: { seen: now, since: now }, if: [{ is: 'absent' }] })
  }

  async function leave(device: string, holder: string): Promise<void> {
    await ledger.update({ key: { partition: waitingFor(device), sort: holder }, delete: true })
  }

  async function keep(device: string, holder: AcceleratorHolder): Promise<boolean> {
    const lease = await readLease(ledger, keyOf(device))
    return lease?.holder === holder && (await renewLease(ledger, lease, term())) !== null
  }

  return {
    keep,

    /**
     * Takes the accelerator if it is free and no other has waited longer, or keeps it.
     * @returns false if the holder must wait: it keeps its turn by retrying within seconds
     */
    async take(device: string, holder: AcceleratorHolder): Promise<boolean> {
      if (await keep(device, holder)) return true
      const [first] = await waiting(device)
      if ((first === undefined || first === holder) && (await leaseOf(device)) === null) {
        if ((await acquireLease(ledger, keyOf(device), holder, term())) !== null) {
          await leave(device, holder)
          return true
        }
      }
      await noteWait(device, holder)
      return false
    },

    async release(device: string, holder: AcceleratorHolder): Promise<void> {
      await leave(device, holder)
      const lease = await readLease(ledger, keyOf(device))
      if (lease?.holder === holder) await releaseLease(ledger, lease)
    },

    async isWanted(device: string, holder: AcceleratorHolder): Promise<boolean> {
      return (await waiting(device)).some((who) => who !== holder)
    },

    async describe(device: string): Promise<string> {
      const holder = (await leaseOf(device))?.holder
      if (holder === undefined) return `the accelerator ${device}, for which others have waited longer`
      const [use, id = ''] = holder.split(/\/(.*)/s)
      return `the accelerator ${device}, which the ${use === 'training' ? 'training' : 'server of'} ${id} has`
    },
  }
}

export type Accelerators = ReturnType<typeof openAccelerators>
