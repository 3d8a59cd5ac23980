import { EspalierError } from '../contracts/errors.ts'
import { wellFormed } from '../contracts/well-formed.ts'
import {
  isPrefixOf,
  isSamePath,
  type PathStep,
  type RecordedAnswer,
  refuseDiverged,
} from './recorded-path.ts'
import type { LiveEnvironment, OpenedSession, SeenResult, SessionResult } from './session-source.ts'

interface KnownSnapshot {
  snapshot: NonNullable<SessionResult['snapshot']>
  /** The host that keeps it; undefined: it is good in any session. */
  host: string | undefined
}

/** Snapshots by the answer that led there, while this process lives. */
export type KnownSnapshots = WeakMap<RecordedAnswer, KnownSnapshot>

export interface PathSessionRules {
  task: string
  replays: 'exact' | 'matched'
  /** Those of all sessions of the episode. */
  snapshots: KnownSnapshots
  /** Whether the episode can do without it, so that it is given back as soon as anyone lacks room. */
  isSpare: boolean
}

/**
 * How many steps of a path, its start included, a snapshot can be gone back to with; 0: none.
 *
 * @param sessions of which one is to go back
 */
export function stepsKept(
  path: readonly PathStep[],
  snapshots: KnownSnapshots,
  sessions: readonly Pick<PathSession, 'host'>[],
): number {
  const isKept = ({ answer }: PathStep) => {
    const known = snapshots.get(answer)
    return known !== undefined && sessions.some((session) => isKeptFor(session, known))
  }
  return path.findLastIndex(isKept) + 1
}

/** Whether a session can go back with a snapshot. */
export function isKeptFor({ host }: Pick<PathSession, 'host'>, snapshot: KnownSnapshot): boolean {
  return snapshot.host === undefined || snapshot.host === host
}

/**
 * A session and where it stands: the path that it has gone. It is brought to another state by the actions that are missing, from
 * where it stands, from a snapshot or from the start of its task, and every answer on a recorded way must be the recorded one.
 */
export class PathSession {
  readonly isSpare: boolean
  readonly #live: LiveEnvironment
  readonly #rules: PathSessionRules
  readonly #runtime: string | undefined
  #path: readonly PathStep[]
  /** What it showed last, which may differ from the path where replays are matched. */
  #shown: SeenResult
  /** Whether its start was compared with the recorded one. */
  #isStartVerified = false

  constructor({ live, result: opened }: OpenedSession, rules: PathSessionRules) {
    const result = receive(opened)
    this.isSpare = rules.isSpare
    this.#live = live
    this.#rules = rules
    this.#runtime = result.runtime
    this.#path = [this.#note(null, result)]
    this.#shown = result
  }

  get host(): string | undefined {
    return this.#live.host
  }

  /** What the last step or the reset was answered. */
  get answer(): RecordedAnswer {
    return (this.#path.at(-1) as PathStep).answer
  }

  /** How many steps of a path it has gone already; null where it has left the path, or gone beyond its end. */
  stepsOf(path: readonly PathStep[]): number | null {
    // At the start of the task it is on every path: whether the start is the recorded one shows when it goes on.
    const { length } = this.#path
    return length === 1 || isPrefixOf(this.#path, path, this.#rules.replays) ? length : null
  }

  /** @throws EspalierError `replay_diverged`, naming the step that was answered differently than it is recorded */
  async bringTo(path: readonly PathStep[], signal: AbortSignal): Promise<void> {
    if (!this.#isStartVerified) this.#verify(path, 0, this.#path[0] as PathStep)
    this.#isStartVerified = true
    if (isSamePath(this.#path, path, this.#rules.replays)) return
    await this.#restore(path, signal)
    await this.#replay(path, signal)
    this.#path = path
  }

  /** @param from the recorded step that the action was chosen after */
  async take(action: string, signal: AbortSignal, from: PathStep | undefined): Promise<PathStep> {
    try {
      return await this.#step(action, signal, from)
    } catch (error) {
      if (!isNotKept(error)) throw error
      // Where it stands was kept without what the action needs: what lies before it.
      const path = this.#path
      await this.#begin(path, signal)
      await this.#replay(path, signal)
      return this.#step(action, signal, from)
    }
  }

  close(): Promise<void> {
    return this.#live.close()
  }

  /** To the last state of a path that there is a snapshot of, if it has not gone as far already; else to its start. */
  async #restore(path: readonly PathStep[], signal: AbortSignal): Promise<void> {
    const { snapshots } = this.#rules
    let gone = this.stepsOf(path) ?? 0
    for (;;) {
      const kept = stepsKept(path, snapshots, [this])
      if (kept <= gone) break
      const { answer } = path[kept - 1] as PathStep
      try {
        this.#shown = receive(await this.#live.restore(snapshots.get(answer)?.snapshot ?? null, signal))
        this.#path = path.slice(0, kept)
        return
      } catch (error) {
        // Whatever the reason, the steps that led there are the way that is left, in another session too.
        if (!signal.aborted) snapshots.delete(answer)
        if (!isNotKept(error)) throw error
        // Where it is now is not known.
        gone = 0
      }
    }
    if (gone === 0) await this.#begin(path, signal)
  }

  /** Back to the start of the task. */
  async #begin(path: readonly PathStep[], signal: AbortSignal): Promise<void> {
    const start = this.#note(null, receive(await this.#live.restore(null, signal)))
    this.#verify(path, 0, start)
    this.#path = [start]
    this.#shown = start.answer
  }

  async #step(action: string, signal: AbortSignal, from: PathStep | undefined): Promise<PathStep> {
    const seen = from && seenBeside(from.answer, this.#shown)
    const step = this.#note(action, receive(await this.#live.step(action, signal, seen)))
    this.#path = [...this.#path, step]
    this.#shown = step.answer
    return step
  }

  /** Takes the steps of a path that are missing. */
  async #replay(path: readonly PathStep[], signal: AbortSignal): Promise<void> {
    for (let index = this.#path.length; index < path.length; index += 1) {
      const { action } = path[index] as PathStep
      this.#verify(path, index, await this.take(action ?? '', signal, path[index - 1]))
    }
  }

  #verify(path: readonly PathStep[], index: number, seen: PathStep): void {
    const { snapshots, task, replays } = this.#rules
    refuseDiverged(path, index, seen, { task, replays, runtime: this.#runtime })
    const snapshot = snapshots.get(seen.answer)
    if (snapshot !== undefined) snapshots.set((path[index] as PathStep).answer, snapshot)
  }

  #note(action: string | null, { snapshot, ...answer }: SessionResult): PathStep {
    if (snapshot !== null) this.#rules.snapshots.set(answer, { snapshot, host: this.host })
    return { action, answer }
  }
}

/** The one place where texts of hosts and servers come in. A snapshot goes back as it came. */
function receive({ snapshot, ...answer }: SessionResult): SessionResult {
  return { ...wellFormed(answer), snapshot }
}

function isNotKept(error: unknown): boolean {
  return EspalierError.isInstance(error) && error.code === 'state_not_kept'
}

/** What was seen; undefined where the same is shown. A screen that is shown without a sketch cannot be compared. */
function seenBeside({ observation, screen }: SeenResult, shown: SeenResult): SeenResult | undefined {
  const other = shown.screen === undefined ? undefined : screen
  if (observation === shown.observation && other === shown.screen) return undefined
  return { observation, ...(other !== undefined && { screen: other }) }
}
