import type { LiveEnvironment, OpenedSession } from '../session-source.ts'

/** Duration of a spare session's slot lease: how long the slot stays unused after its worker died. Milliseconds. */
export const spareLease = 60_000
const usualLooks = 3000

interface Spare {
  place: { hold(): Promise<unknown> }
  giveUp: () => void
}

/**
 * The sessions of a source that their episodes can do without. While there are any, it polls for callers that lack
 * room, also on other machines, and notifies all spares. So a waiting caller gets a slot after one poll, and no host
 * is launched for spares.
 */
export class SpareSessions {
  readonly #isRoomWanted: () => Promise<boolean>
  readonly #looks: number
  readonly #spares = new Set<Spare>()
  #looking: NodeJS.Timeout | null = null

  /** @param looks milliseconds between polls */
  constructor(isRoomWanted: () => Promise<boolean>, looks = usualLooks) {
    this.#isRoomWanted = isRoomWanted
    this.#looks = looks
  }

  add(
    { live, result }: OpenedSession,
    place: { hold(): Promise<unknown> },
    giveUp: () => void = () => undefined,
  ): OpenedSession {
    const spare = { place, giveUp }
    this.#spares.add(spare)
    this.#looking ??= setInterval(() => void this.#look(), this.#looks).unref()
    return { live: this.#watched(live, spare), result }
  }

  giveUp(): void {
    for (const { giveUp } of [...this.#spares]) giveUp()
  }

  #watched(live: LiveEnvironment, spare: Spare): LiveEnvironment {
    return {
      step: (...given) => live.step(...given),
      restore: (...given) => live.restore(...given),
      close: async () => {
        this.#spares.delete(spare)
        if (this.#spares.size === 0 && this.#looking !== null) {
          clearInterval(this.#looking)
          this.#looking = null
        }
        await live.close()
      },
    }
  }

  async #look(): Promise<void> {
    try {
      if (await this.#isRoomWanted()) return this.giveUp()
      // Their leases are short, and an episode may think for longer before it takes its next step.
      await Promise.all([...this.#spares].map(({ place }) => place.hold()))
    } catch {
      // The next step handles an unresponsive ledger or a lost lease; a spare is worth no more.
      this.giveUp()
    }
  }
}
