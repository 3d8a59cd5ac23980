import { acquireLease, type Lease, readLease, releaseLease, renewLease } from '../world/lease.ts'
import { pagesOf } from '../world/pages-of.ts'
import type { Clock, Ledger } from '../world/ports.ts'

/** The name of a machine's accelerator where nothing else is configured. */
export const usualAccelerator = 'gpu'

/** What configurations say in place of a name where no accelerator is held. */
export const noAccelerator = 'none'

/** Milliseconds that a lease lasts without renewal: a process that was killed frees its accelerator after that. */
const leaseFor = 60_000
/** Milliseconds between renewals at most. */
export const renewEvery = 15_000
/** Milliseconds for which one that asked and did not get it is believed to wait still: it asks again sooner than that. */
const waitLasts = 15_000

export interface AcceleratorNeeds {
  ledger: Ledger
  clock: Pick<Clock, 'now'>
}

/** Who holds an accelerator, or waits for it, such as `training/training-1` and `serving/model-1`. */
export type AcceleratorHolder = `${'training' | 'serving'}/${string}`

/**
 * Shares accelerators between trainings and servers of models: the memory of one holds one of them at a time. Those who wait get
 * it in the order in which they began to, so that neither servers nor trainings starve. A holder is known by its name alone:
 * any process may ask for it. On a machine without an accelerator nothing is asked for.
 */
export function openAccelerators({ ledger, clock }: AcceleratorNeeds) {
  const keyOf = (device: string) => ({ partition: 'accelerators', sort: device })
  const waitingFor = (device: string) => `accelerators/${device}/waiting`
  const term = () => ({ now: clock.now(), duration: leaseFor })

  async function leaseOf(device: string): Promise<Lease | null> {
    const lease = await readLease(ledger, keyOf(device))
    return lease === null || lease.expires_at <= clock.now() ? null : lease
  }

  /** Who waits, the first first; notes of those that no longer do are removed. */
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

  /** Keeps what the holder has. @returns false where it has lost it: another may have it */
  async function keep(device: string, holder: AcceleratorHolder): Promise<boolean> {
    const lease = await readLease(ledger, keyOf(device))
    return lease?.holder === holder && (await renewLease(ledger, lease, term())) !== null
  }

  return {
    keep,

    /**
     * Takes the accelerator where it is free and no one has waited longer, or keeps it.
     *
     * @returns false where the holder has to wait: it keeps its place by asking again within seconds
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

    /** Gives it back, or no longer waits for it. Nothing happens where it does neither. */
    async release(device: string, holder: AcceleratorHolder): Promise<void> {
      await leave(device, holder)
      const lease = await readLease(ledger, keyOf(device))
      if (lease?.holder === holder) await releaseLease(ledger, lease)
    },

    /** Whether another than its holder waits for it. */
    async isWanted(device: string, holder: AcceleratorHolder): Promise<boolean> {
      return (await waiting(device)).some((who) => who !== holder)
    },

    /** What one waits for, in words: `the accelerator gpu, which the training training-1 has`. */
    async describe(device: string): Promise<string> {
      const holder = (await leaseOf(device))?.holder
      if (holder === undefined) return `the accelerator ${device}, for which others have waited longer`
      const [use, id = ''] = holder.split(/\/(.*)/s)
      return `the accelerator ${device}, which the ${use === 'training' ? 'training' : 'server of'} ${id} has`
    },
  }
}

export type Accelerators = ReturnType<typeof openAccelerators>
