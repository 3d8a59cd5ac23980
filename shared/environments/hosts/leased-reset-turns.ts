import { hash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { acquireLease, type Lease, releaseLease, renewLease } from '../../core/world/lease.ts'
import type { World } from '../../core/world/ports.ts'
import type { ResetTurns } from '../agentgym/reset-turns.ts'
import { takeResetTurn } from '../agentgym/reset-turns.ts'

const leaseDuration = 60_000
const looks = { first: 10, most: 500 }

/**
 * Turns among all workers of a world: those of one process queue up, and the first of each leases the address in the
 * ledger.
 */
export function leasedResetTurns({ ledger, clock }: Pick<World, 'ledger' | 'clock'>): ResetTurns {
  const holder = randomUUID()

  async function wait(sort: string, signal: AbortSignal): Promise<Lease> {
    for (let pause = looks.first; ; pause = Math.min(pause * 2, looks.most)) {
      const key = { partition: 'agentgym', sort }
      const lease = await acquireLease(ledger, key, holder, { now: clock.now(), duration: leaseDuration })
      if (lease) return lease
      await sleep(pause, undefined, { signal })
    }
  }

  return (address, work, signal) =>
    takeResetTurn(
      address,
      async () => {
        const lease = await wait(hash('sha256', address, 'base64url').slice(0, 22), signal)
        const renewing = setInterval(() => {
          // Another worker takes a lost turn, which does no more harm than a stranger's reset.
          renewLease(ledger, lease, { now: clock.now(), duration: leaseDuration }).catch(() => undefined)
        }, leaseDuration / 3)
        try {
          return await work()
        } finally {
          clearInterval(renewing)
          await releaseLease(ledger, lease)
        }
      },
      signal,
    )
}
