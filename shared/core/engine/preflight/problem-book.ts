import { type EndpointWarning, isSameWarning } from '../../contracts/endpoint-warning.ts'
import type { LastProblem } from '../../contracts/model-failure.ts'
import type { World } from '../../world/ports.ts'
import { ledgerKeys } from '../keys.ts'
import { isFinal } from '../runs/run-row.ts'
import type { RunStore } from '../runs/run-store.ts'

// Milliseconds between two notes of one run, or of one episode: failing endpoints fail many calls a second.
const between = 5000
/**
 * Milliseconds between two checks of a run for problems noted by another worker, which may not be there to clear
 * them.
 */
const betweenLooks = 60_000

interface Noted {
  message: string | null
  at: number
  written: Promise<void>
}

export interface ProblemBookOptions {
  world: World
  store: RunStore
  onError: (error: unknown, what: string) => void
}

/**
 * Records the last problem that keeps model calls unanswered, for each run and episode played here. It writes to the
 * ledger at intervals, and clears a problem when a call is answered again.
 */
export class ProblemBook {
  readonly #options: ProblemBookOptions
  readonly #noted = new Map<string, Noted>()
  readonly #warned = new Map<string, { warnings: EndpointWarning[]; written: Promise<void> }>()

  constructor(options: ProblemBookOptions) {
    this.#options = options
  }

  note(run: string, episode: string | null, message: string): void {
    this.#note(run, message, (problem) => this.#writeRun(run, problem))
    if (episode !== null) {
      this.#note(`${run}/${episode}`, message, (problem) => this.#writeEpisode(run, episode, problem))
    }
  }

  warn(run: string, warning: EndpointWarning): void {
    const before = this.#warned.get(run)
    if (before?.warnings.some((known) => isSameWarning(known, warning))) return
    const written = this.#after(before, () =>
      this.#options.store.change(run, ({ warnings = [] }) =>
        warnings.some((known) => isSameWarning(known, warning))
          ? null
          : { set: { warnings: [...warnings, warning] } },
      ),
    )
    this.#warned.set(run, { warnings: [...(before?.warnings ?? []), warning], written })
  }

  answered(run: string, episode: string): void {
    this.#strikeOut(run, () => this.#clearRun(run), betweenLooks)
    this.#strikeOut(`${run}/${episode}`, () => this.#writeEpisode(run, episode, null))
  }

  async leave(run: string, episode: string): Promise<void> {
    const name = `${run}/${episode}`
    const written = [this.#noted.get(name), this.#noted.get(run), this.#warned.get(run)]
    await Promise.all(written.map((noted) => noted?.written))
    this.#noted.delete(name)
  }

  leaveRun(run: string): void {
    this.#noted.delete(run)
    this.#warned.delete(run)
  }

  #note(name: string, message: string, write: (problem: LastProblem) => Promise<unknown>): void {
    const now = this.#options.world.clock.now()
    const before = this.#noted.get(name)
    if (before !== undefined && before.message !== null && isWithin(before.at, now, between)) return
    const problem = { message, at: new Date(now).toISOString() }
    this.#noted.set(name, { message, at: now, written: this.#after(before, () => write(problem)) })
  }

  /** @param lookAgain - milliseconds after which problems noted by others are cleared too; absent: they are not */
  #strikeOut(name: string, write: () => Promise<unknown>, lookAgain?: number): void {
    const now = this.#options.world.clock.now()
    const before = this.#noted.get(name)
    const isNoted = before !== undefined && before.message !== null
    const isDue = lookAgain !== undefined && (before === undefined || !isWithin(before.at, now, lookAgain))
    if (!isNoted && !isDue) return
    this.#noted.set(name, { message: null, at: now, written: this.#after(before, write) })
  }

  async #after(before: Pick<Noted, 'written'> | undefined, write: () => Promise<unknown>): Promise<void> {
    await before?.written
    try {
      await write()
    } catch (error) {
      this.#options.onError(error, 'noting what keeps a model from answering')
    }
  }

  #writeRun(run: string, problem: LastProblem): Promise<unknown> {
    return this.#options.store.change(run, (row) =>
      isFinal(row.status) || this.#isNotedBy(row.last_problem, problem)
        ? null
        : {
            set: { last_problem: problem },
            events: [{ type: 'run.problem', message: problem.message }],
          },
    )
  }

  #isNotedBy(last: LastProblem | null, { at }: LastProblem): boolean {
    return last !== null && isWithin(Date.parse(last.at), Date.parse(at), between)
  }

  #clearRun(run: string): Promise<unknown> {
    return this.#options.store.change(run, ({ last_problem, status }) =>
      last_problem === null || status !== 'running' ? null : { set: { last_problem: null } },
    )
  }

  #writeEpisode(run: string, episode: string, problem: LastProblem | null): Promise<unknown> {
    return this.#options.world.ledger.update({
      key: ledgerKeys.episode(run, episode),
      set: { last_problem: problem },
      if: [{ attribute: 'status', is: 'one_of', values: ['queued', 'running'] }],
    })
  }
}

/** A later time was noted before the clock was set back: it counts as long ago. */
function isWithin(at: number, now: number, milliseconds: number): boolean {
  const passed = now - at
  return passed >= 0 && passed < milliseconds
}
