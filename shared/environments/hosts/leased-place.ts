import type { World } from '../../core/world/ports.ts'
import { SessionLostError } from '../session-lost-error.ts'
import { leaseDuration } from './host-registry.ts'
import type { SessionPlace } from './session-place.ts'
import { releaseSlot, renewSlot, type SlotLease } from './slot-lease.ts'

export class LeasedPlace implements SessionPlace {
  readonly #world: Pick<World, 'ledger' | 'clock'>
  readonly #duration: number
  #slot: SlotLease

  /** @param duration of the lease and of each renewal; milliseconds */
  constructor(world: Pick<World, 'ledger' | 'clock'>, slot: SlotLease, duration = leaseDuration) {
    this.#world = world
    this.#slot = slot
    this.#duration = duration
  }

  get last(): SlotLease {
    return this.#slot
  }

  async hold(): Promise<SlotLease> {
    const world = this.#world
    const left = this.#slot.lease.expires_at - world.clock.now()
    // If the clock was set back, the remaining time exceeds the lease, and others would take the slot for free.
    if (left > this.#duration / 2 && left <= this.#duration) return this.#slot
    const renewed = await renewSlot(world, this.#slot, this.#duration)
    if (renewed === null) throw new SessionLostError(`The slot ${this.#slot.session} was leased by another.`)
    this.#slot = renewed
    return renewed
  }

  async release(): Promise<void> {
    await releaseSlot(this.#world, this.#slot)
  }
}
