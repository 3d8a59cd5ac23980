import { episodeIndex } from '../../core/contracts/episode.ts'
import type { GroupFigures } from '../../core/contracts/rollout-figures.ts'
import type { RunEvent } from '../../core/contracts/run-event.ts'

/**
 * The groups of a rollout that have ended, in the order of their last ends. A run's events never change, so each
 * reading gives the same order, and a group appears once.
 */
export class GroupFold {
  readonly #size: number
  readonly #ended = new Map<number, { ends: number; rewards: number; at: string }>()
  readonly finished: number[] = []
  complete = 0
  readonly figures = new Map<number, GroupFigures>()
  after = 0

  constructor(size: number) {
    this.#size = size
  }

  add(event: RunEvent): void {
    this.after = event.sequence
    if (event.type !== 'episode.ended') return
    const index = episodeIndex(event.episode)
    if (index === null) throw new Error(`The event ${event.sequence} is of the episode "${event.episode}".`)
    const group = Math.floor(index / this.#size)
    const { ends, rewards } = this.#ended.get(group) ?? { ends: 0, rewards: 0 }
    const rewarded = event.result.reward === null ? 0 : 1
    const now = { ends: ends + 1, rewards: rewards + rewarded, at: event.created_at }
    this.#ended.set(group, now)
    if (now.ends !== this.#size) return
    this.finished.push(group)
    if (now.rewards === this.#size) this.complete += 1
  }

  endedAt(group: number): string {
    const ended = this.#ended.get(group)
    if (ended === undefined) throw new Error(`No member of the group ${group} has ended.`)
    return ended.at
  }

  /** The groups of a cancelled run that began to end, and lack members: they come last. */
  cutOff(): number[] {
    const begun = [...this.#ended].filter(([, { ends }]) => ends < this.#size).map(([group]) => group)
    return begun.toSorted((left, right) => left - right)
  }
}
