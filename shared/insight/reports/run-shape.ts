import { type EndReason, endReason, endReasonSchema } from '../../core/contracts/end-reason.ts'
import type { Episode } from '../../core/contracts/episode.ts'
import type { RunShape } from '../../core/contracts/run-shape.ts'
import { isPlayed } from './task-tally.ts'

const mostBins = 24
const mostCells = 2000
const mostTasks = 200
const mostEpochs = 50
/** Widths from 0 to the farthest bin, which holds all values beyond it. */
const farthestBin = 1e300

type Cell = RunShape['grid']['tasks'][number]['cells'][number]

/**
 * Counts the values of one figure in at most 24 bins of one width. It doubles the width and merges bins in pairs when
 * they get too many, so its memory does not grow with the episodes.
 */
export class Histogram {
  readonly #width: number
  #merged = 1
  #bins = new Map<number, { episodes: number; solved: number }>()

  /** @param width of the narrowest bins */
  constructor(width: number) {
    this.#width = width
  }

  add(value: number, solved: boolean): void {
    const at = this.#at(value)
    const isNew = !this.#bins.has(at)
    this.#count(at, { episodes: 1, solved: solved ? 1 : 0 })
    while (isNew && this.#span() > mostBins) this.#merge()
  }

  bins(): RunShape['rewards'] {
    const from = (at: number) => Number((at * this.#merged * this.#width).toPrecision(12))
    const all = [...this.#bins].toSorted(([left], [right]) => left - right)
    return all.map(([at, counts]) => ({ from: from(at), to: from(at + 1), ...counts }))
  }

  /**
   * A value such as 0.15 is a multiple of the width 0.05, although its quotient is 2.9999999999999996. It is rounded
   * once, among the narrowest bins: so the order of the values changes no bin.
   */
  #at(value: number): number {
    const quotient = Math.max(-farthestBin, Math.min(farthestBin, value / this.#width))
    const nearest = Math.round(quotient)
    const narrowest = Math.abs(quotient - nearest) < 1e-9 ? nearest : Math.floor(quotient)
    return Math.floor(narrowest / this.#merged)
  }

  #count(at: number, { episodes, solved }: { episodes: number; solved: number }): void {
    const bin = this.#bins.get(at) ?? { episodes: 0, solved: 0 }
    this.#bins.set(at, { episodes: bin.episodes + episodes, solved: bin.solved + solved })
  }

  #span(): number {
    const places = [...this.#bins.keys()]
    return Math.max(...places) - Math.min(...places) + 1
  }

  #merge(): void {
    const before = [...this.#bins]
    this.#merged *= 2
    this.#bins = new Map()
    for (const [at, counts] of before) this.#count(Math.floor(at / 2), counts)
  }
}

export class ShapeFold {
  readonly #rewards = new Histogram(0.05)
  readonly #steps = new Histogram(1)
  readonly #ends = new Map<EndReason, number>()
  readonly #cells = new Map<string, Cell[]>()
  #epochs = 0

  add(episode: Episode): void {
    const { epoch, id, purpose, result, status, task } = episode
    const reason = endReason(episode)
    if (reason !== null) this.#ends.set(reason, (this.#ends.get(reason) ?? 0) + 1)
    if (purpose !== 'play' || result === null || !isPlayed(result)) return
    this.#steps.add(result.steps, result.success === true)
    if (result.reward !== null) this.#rewards.add(result.reward, result.success === true)
    if (status !== result.status || epoch >= mostEpochs) return
    this.#epochs = Math.max(this.#epochs, epoch + 1)
    const cells = this.#cells.get(task)
    const cell = { epoch, episode: id, reward: result.reward, success: result.success }
    if (cells) cells.push(cell)
    else this.#cells.set(task, [cell])
  }

  shape(): RunShape {
    const most = Math.max(1, Math.min(mostTasks, Math.floor(mostCells / Math.max(1, this.#epochs))))
    const tasks = Array.from(this.#cells, ([task, cells]) => ({ task, cells, spread: spreadOf(cells) }))
    const chosen =
      tasks.length <= most
        ? tasks
        : new Set(tasks.toSorted((left, right) => right.spread - left.spread).slice(0, most))
    const shown = tasks.filter((task) => (chosen instanceof Set ? chosen.has(task) : true))
    return {
      rewards: this.#rewards.bins(),
      steps: this.#steps.bins(),
      ends: endReasonSchema.options.flatMap((reason) => {
        const episodes = this.#ends.get(reason)
        return episodes === undefined ? [] : [{ reason, episodes }]
      }),
      grid: {
        epochs: this.#epochs,
        all: tasks.length,
        tasks: shown.map(({ task, cells }) => ({
          task,
          cells: cells.toSorted((left, right) => left.epoch - right.epoch),
        })),
      },
    }
  }
}

function spreadOf(cells: readonly Cell[]): number {
  const rewards = cells.flatMap(({ reward }) => reward ?? [])
  const mean = rewards.reduce((sum, reward) => sum + reward, 0) / Math.max(1, rewards.length)
  return rewards.reduce((sum, reward) => sum + (reward - mean) ** 2, 0) / Math.max(1, rewards.length)
}
