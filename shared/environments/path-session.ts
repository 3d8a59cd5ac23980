import { EspalierError } from '../core/contracts/errors.ts'
import { wellFormed } from '../core/contracts/well-formed.ts'
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
  /** The host that keeps it. Undefined: valid in any session. */
  host: string | undefined
}

export type KnownSnapshots = WeakMap<RecordedAnswer, KnownSnapshot>

export interface PathSessionRules {
  task: string
  replays: 'exact' | 'matched'
  snapshots: KnownSnapshots
  isSpare: boolean
}

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

export function isKeptFor({ host }: Pick<PathSession, 'host'>, snapshot: KnownSnapshot): boolean {
  return snapshot.host === undefined || snapshot.host === host
}

/**
 * A session with its current path. To reach another state it replays only the missing actions: from its current
 * state, from a snapshot or from the start. Every answer on a recorded path must equal the recorded one.
 */
export class PathSession {
  readonly isSpare: boolean
  readonly #live: LiveEnvironment
  readonly #rules: PathSessionRules
  readonly #runtime: string | undefined
  #path: readonly PathStep[]
  #shown: SeenResult
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

  get answer(): RecordedAnswer {
    return (this.#path.at(-1) as PathStep).answer
  }

  stepsOf(path: readonly PathStep[]): number | null {
    // At the start of the task it is on every path. The next replay verifies that the start equals the recorded one.
    const { length } = this.#path
    return length === 1 || isPrefixOf(this.#path, path, this.#rules.replays) ? length : null
  }

  /** @throws EspalierError `replay_diverged`, naming the first step whose answer differs from the recorded one */
  async bringTo(path: readonly PathStep[], signal: AbortSignal): Promise<void> {
    if (!this.#isStartVerified) this.#verify(path, 0, this.#path[0] as PathStep)
    this.#isStartVerified = true
    if (isSamePath(this.#path, path, this.#rules.replays)) return
    await this.#restore(path, signal)
    await this.#replay(path, signal)
    this.#path = path
  }

  async take(action: string, signal: AbortSignal, from: PathStep | undefined): Promise<PathStep> {
    try {
      return await this.#step(action, signal, from)
    } catch (error) {
      if (!isNotKept(error)) throw error
      // The snapshot lacked the earlier steps that the action needs.
      const path = this.#path
      await this.#begin(path, signal)
      await this.#replay(path, signal)
      return this.#step(action, signal, from)
    }
  }

  async validActions(signal: AbortSignal): Promise<readonly string[] | null> {
    return (await this.#live.validActions?.(signal)) ?? null
  }

  close(): Promise<void> {
    return this.#live.close()
  }

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
        // Whatever the reason, fall back to replaying the steps, in other sessions too.
        if (!signal.aborted) snapshots.delete(answer)
        if (!isNotKept(error)) throw error
        gone = 0
      }
    }
    if (gone === 0) await this.#begin(path, signal)
  }

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

function receive({ snapshot, ...answer }: SessionResult): SessionResult {
  return { ...wellFormed(answer), snapshot }
}

function isNotKept(error: unknown): boolean {
  return EspalierError.isInstance(error) && error.code === 'state_not_kept'
}

/**
 * The actual observation, or undefined if it equals the recorded one. A screen without a sketch cannot be compared.
 */
function seenBeside({ observation, screen }: SeenResult, shown: SeenResult): SeenResult | undefined {
  const other = shown.screen === undefined ? undefined : screen
  if (observation === shown.observation && other === shown.screen) return undefined
  return { observation, ...(other !== undefined && { screen: other }) }
}
