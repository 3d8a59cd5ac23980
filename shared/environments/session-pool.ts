import { setTimeout as delay } from 'node:timers/promises'
import { EspalierError } from '../contracts/errors.ts'
import { SessionLostError } from './session-lost-error.ts'
import type { LiveEnvironment, SessionRequest, SessionResult, SessionSource } from './session-source.ts'

/** A step of a recorded path, with what it was answered; the first has no action: it is the reset. */
export interface PathStep {
  readonly action: string | null
  readonly answer: Answer
}

type Answer = Omit<SessionResult, 'snapshot'>

/** What sessions are opened of, and for whom. */
export type PooledTask = Omit<SessionRequest, 'task'> & {
  id: string
  /** What a replay has to show again. @default exact */
  replays?: 'exact' | 'matched'
}

/** A session, the path that it has gone, and what it showed last, which may differ from the path where replays are matched. */
interface Held {
  live: LiveEnvironment
  path: readonly PathStep[]
  shown: string
}

/**
 * Milliseconds before another session is tried, for each that was lost in a row; a step that lost one more fails. Together they
 * are as long as a server takes to start again.
 */
const usualPauses = [0, 250, 500, 1000, 2000, 4000, 8000, 15_000]

/** What has to be answered on a recorded path as it was. The same may be shown of states that differ. */
const verified = ['observation', 'reward', 'done', 'valid', 'progress', 'state_hash'] as const
/** Of what a replay only has to match: how it came out. */
const outcome: readonly (typeof verified)[number][] = ['reward', 'done', 'valid', 'progress']

/**
 * The session of one episode, which is brought to whatever state the next step is to be taken in: it goes on where it
 * stands; it is put back by a snapshot, where the environment gives them; or it goes the recorded way from the furthest
 * point that it knows, and every answer on it must be the recorded one. A session that is lost is replaced by another.
 */
export class SessionPool {
  readonly #source: SessionSource
  readonly #task: PooledTask
  readonly #pauses: readonly number[]
  /** By the step that led there, while this process lives. */
  readonly #snapshots = new WeakMap<Answer, NonNullable<SessionResult['snapshot']>>()
  #held: Held | null = null
  /** What plays the session. */
  #runtime: string | undefined
  #opened = 0
  #waited = 0
  #calls = 0
  /** Calls come one after the other, because there is one session. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(source: SessionSource, task: PooledTask, pauses: readonly number[] = usualPauses) {
    this.#source = source
    this.#task = task
    this.#pauses = pauses
  }

  /** Seconds that were spent on waiting for sessions since this was last asked. */
  takeWaited(): number {
    const waited = this.#waited / 1000
    this.#waited = 0
    return waited
  }

  /** @param leaving fires when there is no use in waiting for room */
  open(signal: AbortSignal, leaving = signal): Promise<Answer> {
    return this.#alone(() => this.#insist(leaving, async () => (await this.#begin(signal, leaving)).answer))
  }

  /**
   * Takes a step from the end of a recorded path.
   *
   * @throws EspalierError `replay_diverged`, naming the step that was answered differently than it is recorded
   */
  step(path: readonly PathStep[], action: string, signal: AbortSignal, leaving = signal): Promise<Answer> {
    return this.#alone(() =>
      this.#insist(leaving, async () => {
        const held = await this.#bringTo(path, signal, leaving)
        return (await this.#take(held, action, signal, path.at(-1))).answer
      }),
    )
  }

  async close(): Promise<void> {
    await this.#alone(() => this.#letGo())
  }

  /** Gives up the session, unless something is done in it: the next step opens another. */
  rest(): void {
    if (this.#calls === 0) void this.#alone(() => this.#letGo())
  }

  /** Tries again with other sessions where one is lost. */
  async #insist<Result>(leaving: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    for (let lost = 0; ; lost += 1) {
      try {
        return await work()
      } catch (error) {
        // Whatever failed, it is open where the session stands now.
        await this.#letGo()
        const pause = this.#pauses[lost]
        if (!(error instanceof SessionLostError) || pause === undefined) throw error
        await this.#wait(() => delay(pause, undefined, { signal: leaving }))
      }
    }
  }

  /** Counts the time as one of waiting. */
  async #wait<Result>(work: () => Promise<Result>): Promise<Result> {
    const start = performance.now()
    try {
      return await work()
    } finally {
      this.#waited += performance.now() - start
    }
  }

  /** Opens a session at the start of the task. */
  async #begin(signal: AbortSignal, leaving: AbortSignal): Promise<PathStep> {
    const { id: task, holder, replays: _, ...more } = this.#task
    this.#opened += 1
    const request = { task, ...more, holder: `${holder}/${this.#opened}` }
    const opening = () => this.#source.open(request, signal, leaving)
    const { live, result } = await this.#wait(opening)
    const start = this.#note(null, result)
    this.#runtime = result.runtime
    this.#held = { live, path: [start], shown: result.observation }
    return start
  }

  async #bringTo(path: readonly PathStep[], signal: AbortSignal, leaving: AbortSignal): Promise<Held> {
    if (this.#held === null) this.#verify(path, 0, await this.#begin(signal, leaving))
    const held = this.#held as unknown as Held
    if (isSame(held.path, path)) return held
    const last = path.at(-1) as PathStep
    const snapshot = this.#snapshots.get(last.answer)
    if (snapshot !== undefined) {
      await held.live.restore(snapshot, signal)
      held.path = path
      held.shown = last.answer.observation
      return held
    }
    if (!isSame(held.path, path.slice(0, held.path.length))) {
      const start = this.#note(null, await held.live.restore(null, signal))
      held.path = [start]
      held.shown = start.answer.observation
    }
    this.#verify(path, 0, held.path[0] as PathStep)
    for (let index = held.path.length; index < path.length; index += 1) {
      const { action } = path[index] as PathStep
      this.#verify(path, index, await this.#take(held, action ?? '', signal, path[index - 1]))
    }
    held.path = path
    return held
  }

  /** @param from the recorded step that the action was chosen after */
  async #take(
    held: Held,
    action: string,
    signal: AbortSignal,
    from: PathStep | undefined,
  ): Promise<PathStep> {
    const seen = from?.answer.observation
    const step = this.#note(
      action,
      await held.live.step(action, signal, seen === held.shown ? undefined : seen),
    )
    held.path = [...held.path, step]
    held.shown = step.answer.observation
    return step
  }

  #note(action: string | null, { snapshot, ...answer }: SessionResult): PathStep {
    if (snapshot !== null) this.#snapshots.set(answer, snapshot)
    return { action, answer }
  }

  #verify(path: readonly PathStep[], index: number, seen: PathStep): void {
    const { action, answer } = path[index] as PathStep
    const { observation, reward } = seen.answer
    const compared = this.#task.replays === 'matched' ? outcome : verified
    const other = compared.filter((field) => seen.answer[field] !== answer[field])
    if (other.length === 0) {
      const snapshot = this.#snapshots.get(seen.answer)
      if (snapshot !== undefined) this.#snapshots.set(answer, snapshot)
      return
    }
    const what = action === null ? 'the reset' : `step ${index} ("${cut(action)}")`
    throw new EspalierError(
      'replay_diverged',
      `The environment answered ${what} of ${this.#task.id} differently on replay: "${cut(observation)}" with reward ${reward}, where the journal holds "${cut(answer.observation)}" with reward ${answer.reward} (other is: ${other.join(', ')}). It is not deterministic, or another version of it than before.${this.#otherRuntime(path)}`,
    )
  }

  /** That what plays the environment is another version than the one that the path was recorded with; empty where it is not known. */
  #otherRuntime(path: readonly PathStep[]): string {
    const recorded = path[0]?.answer.runtime
    const here = this.#runtime
    if (recorded === undefined || here === undefined || recorded === here) return ''
    return ` The episode began with ${recorded}, and this replay is by ${here}: go on where the first is, or play the task afresh.`
  }

  async #letGo(): Promise<void> {
    const held = this.#held
    this.#held = null
    await held?.live.close()
  }

  #alone<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#calls += 1
    const done = this.#last.then(work).finally(() => {
      this.#calls -= 1
    })
    this.#last = done.catch(() => undefined)
    return done
  }
}

/** Whether two paths have the same actions and answers. */
function isSame(one: readonly PathStep[], other: readonly PathStep[]): boolean {
  return (
    one.length === other.length &&
    one.every((step, index) => {
      const { action, answer } = other[index] as PathStep
      return (
        step === other[index] ||
        (step.action === action &&
          step.answer.observation === answer.observation &&
          step.answer.reward === answer.reward)
      )
    })
  )
}

function cut(text: string): string {
  return text.length <= 120 ? text : `${text.slice(0, 120)}…`
}
