import { acquireLease, type Lease, readLease, releaseLease, renewLease } from '../world/lease.ts'
import type { Clock, Ledger } from '../world/ports.ts'

/** Who may use the accelerator of a machine alone. */
export type AcceleratorUse = 'training' | 'serving'

/** The right to use the accelerator until it is released. */
export interface AcceleratorLease {
  /** Keeps the right; to be called at least every {@link renewEvery} milliseconds. @returns whether it still holds */
  renew(): Promise<boolean>
  release(): Promise<void>
}

/** Milliseconds that a lease lasts without renewal: a process that was killed frees its accelerator after that. */
const duration = 60_000
/** Milliseconds between renewals at most. */
export const renewEvery = 15_000

const key = (device: string) => ({ partition: 'accelerators', sort: device })

/**
 * Shares an accelerator between trainings and model servers: its memory holds one of them at a time. Servers of several
 * models hold it one after another. On a machine without an accelerator no lease is needed.
 *
 * @param device a name of the accelerator, such as `gpu`
 */
export function acceleratorLeases(
  { ledger, clock }: { ledger: Ledger; clock: Pick<Clock, 'now'> },
  device = 'gpu',
) {
  const term = () => ({ now: clock.now(), duration })

  function held(first: Lease): AcceleratorLease {
    let lease: Lease | null = first
    return {
      async renew() {
        lease = lease === null ? null : await renewLease(ledger, lease, term())
        return lease !== null
      },
      async release() {
        if (lease !== null) await releaseLease(ledger, lease)
        lease = null
      },
    }
  }

  return {
    /**
     * Takes the accelerator where it is free.
     *
     * @param id the training or the model, which gets the lease again when it asks again
     * @returns null while another holds it
     */
    async acquire(use: AcceleratorUse, id: string): Promise<AcceleratorLease | null> {
      const lease = await acquireLease(ledger, key(device), `${use}/${id}`, term())
      return lease === null ? null : held(lease)
    },

    /** Who holds the accelerator, such as `training/training-1`; null where it is free. */
    async holder(): Promise<string | null> {
      const lease = await readLease(ledger, key(device))
      return lease === null || lease.expires_at <= clock.now() ? null : lease.holder
    },
  }
}

export type AcceleratorLeases = ReturnType<typeof acceleratorLeases>
