import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { acquireLease, type Lease, releaseLease, renewLease } from '../../core/world/lease.ts'
import type { World } from '../../core/world/ports.ts'
import { SessionLostError } from '../session-lost-error.ts'
import type { LiveEnvironment, OpenedSession, SessionRequest, SessionSource } from '../session-source.ts'

const siteLease = 60_000
const siteLooks = { first: 50, most: 2000 }

type Leases = Pick<World, 'ledger' | 'clock'>

/**
 * Opens sessions that share sites for one user at a time: among all workers of a world, a session holds the sites of
 * its task from before it opens until it is closed. They are taken in the order of their addresses, so that no two
 * sessions wait for each other.
 */
export function leasedSites(
  world: Leases,
  source: SessionSource,
  sitesOf: (task: string) => Promise<readonly string[]> | readonly string[],
): SessionSource {
  const { openSpare } = source
  return {
    open: (request, signal, leaving = signal) =>
      withSites(world, async (held) => {
        for (const site of [...new Set(await sitesOf(request.task))].toSorted()) {
          await held.take(site, request, leaving)
        }
        return source.open(request, signal, leaving)
      }),
    ...(openSpare && {
      // Two sessions of an episode cannot have the same sites either.
      async openSpare(request, signal) {
        return (await sitesOf(request.task)).length > 0 ? null : openSpare(request, signal)
      },
    }),
  }
}

export async function withSites<Opened extends OpenedSession | null>(
  world: Leases,
  open: (held: HeldSites) => Promise<Opened>,
): Promise<Opened> {
  const held = new HeldSites(world)
  try {
    const opened = await open(held)
    if (opened === null) await held.release()
    return opened && { ...opened, live: guarded(opened.live, held) }
  } catch (error) {
    await held.release()
    throw error
  }
}

function guarded(live: LiveEnvironment, held: HeldSites): LiveEnvironment {
  return {
    async step(...given) {
      held.check()
      return live.step(...given)
    },
    async restore(...given) {
      held.check()
      return live.restore(...given)
    },
    async close() {
      await live.close()
      await held.release()
    },
  }
}

export class HeldSites {
  readonly #world: Leases
  readonly #leases: Lease[] = []
  readonly #renewing: NodeJS.Timeout
  #isLost = false
  #until = Number.POSITIVE_INFINITY

  constructor(world: Leases) {
    this.#world = world
    this.#renewing = setInterval(() => void this.#renew(), siteLease / 3)
    this.#renewing.unref()
  }

  async take(site: string, { holder, onNoRoom }: SessionRequest, signal: AbortSignal): Promise<void> {
    for (let pause = siteLooks.first; ; pause = Math.min(pause * 2, siteLooks.most)) {
      if (await this.tryTake(site, holder)) return
      onNoRoom?.()
      await sleep(pause, undefined, { signal })
    }
  }

  async tryTake(site: string, holder: string): Promise<boolean> {
    const { ledger, clock } = this.#world
    const key = { partition: 'sites', sort: hash('sha256', site, 'base64url').slice(0, 22) }
    const lease = await acquireLease(ledger, key, holder, { now: clock.now(), duration: siteLease })
    if (lease === null) return false
    this.#leases.push(lease)
    this.#until = Math.min(this.#until, lease.expires_at)
    return true
  }

  /** @throws SessionLostError if another session may have changed a site since */
  check(): void {
    if (this.#isLost || this.#world.clock.now() > this.#until)
      throw new SessionLostError('A site of the session was leased by another.')
  }

  async release(): Promise<void> {
    clearInterval(this.#renewing)
    await Promise.allSettled(this.#leases.splice(0).map((lease) => releaseLease(this.#world.ledger, lease)))
  }

  async #renew(): Promise<void> {
    const { ledger, clock } = this.#world
    const terms = { now: clock.now(), duration: siteLease }
    const renewed = await Promise.allSettled(this.#leases.map((lease) => renewLease(ledger, lease, terms)))
    // A failed renewal is retried before the lease expires.
    if (renewed.every((each) => each.status === 'fulfilled')) this.#until = terms.now + siteLease
    if (renewed.some((each) => each.status === 'fulfilled' && each.value === null)) this.#isLost = true
  }
}
