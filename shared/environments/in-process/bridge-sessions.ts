import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { mostPictures, sentPictureSchema } from '../../core/contracts/picture.ts'
import type { SessionSnapshot } from '../../core/contracts/session.ts'
import type { PictureStore } from '../../core/pictures/picture-store.ts'
import type { LiveEnvironment, SessionRequest, SessionResult, SessionSource } from '../session-source.ts'
import type { Bridge, BridgeLink } from './bridge.ts'

const seenSchema = z.object({
  observation: z.string(),
  pictures: z.array(sentPictureSchema).max(mostPictures).default([]),
  reward: z.number().default(0),
  done: z.boolean().default(false),
  valid: z.boolean().default(true),
  progress: z.number().min(0).max(1).optional(),
})

const actionsSchema = z.object({ actions: z.array(z.string()) })
const keptSchema = z.object({ state: z.string() })
const nameSchema = z.object({ name: z.string() })

interface Played {
  bridge: Bridge
  pictures: Pick<PictureStore, 'put'>
  keepsStates: boolean
  actions: boolean
}

export class BridgeSessions implements SessionSource {
  readonly #played: Played

  constructor(played: Played) {
    this.#played = played
  }

  async open(request: SessionRequest, signal: AbortSignal) {
    const link = await this.#played.bridge.reach()
    const live = new BridgeSession(link, this.#played, request)
    return { live, result: await live.restore(null, signal) }
  }
}

class BridgeSession implements LiveEnvironment {
  readonly #link: BridgeLink
  readonly #played: Played
  readonly #request: SessionRequest
  readonly #session = randomUUID()
  #best = 0

  constructor(link: BridgeLink, played: Played, request: SessionRequest) {
    this.#link = link
    this.#played = played
    this.#request = request
  }

  async step(action: string, signal: AbortSignal): Promise<SessionResult> {
    const stepped = this.#see({ op: 'step', session: this.#session, action }, signal)
    if (!this.#played.keepsStates) return stepped
    // Sent at once: the process answers in order.
    const kept = this.#link.ask({ op: 'keep', session: this.#session }, keptSchema, signal)
    // A failed step is the fault that counts.
    kept.catch(() => undefined)
    const result = await stepped
    const { state: name } = await kept
    return { ...result, snapshot: this.#snapshotOf(result, name) }
  }

  async restore(snapshot: SessionSnapshot | null, signal: AbortSignal): Promise<SessionResult> {
    const { seed, task } = this.#request
    this.#best = 0
    if (snapshot === null) return this.#see({ op: 'reset', session: this.#session, task, seed }, signal)
    const { name } = nameSchema.parse(snapshot.state)
    const question = { op: 'restore', session: this.#session, state: name }
    await this.#link.ask(question, z.unknown(), signal)
    const { observation, reward, done, valid, progress } = snapshot
    this.#best = progress
    return { observation, reward, done, valid, progress, state_hash: null, snapshot: null }
  }

  async validActions(signal: AbortSignal): Promise<readonly string[] | null> {
    if (!this.#played.actions) return null
    const question = { op: 'actions', session: this.#session }
    return (await this.#link.ask(question, actionsSchema, signal)).actions
  }

  async close(): Promise<void> {
    // The answer is not awaited: the process may be standing at a breakpoint.
    void this.#link.ask({ op: 'close', session: this.#session }, z.unknown()).catch(() => undefined)
  }

  async #see(
    question: { op: string; [field: string]: unknown },
    signal: AbortSignal,
  ): Promise<SessionResult> {
    const { pictures: sent, progress, ...seen } = await this.#link.ask(question, seenSchema, signal)
    this.#best = Math.max(this.#best, progress ?? Math.min(Math.max(seen.reward, 0), 1))
    const pictures = await Promise.all(sent.map((picture) => this.#played.pictures.put(picture)))
    const shown = pictures.length === 0 ? {} : { pictures }
    return { ...seen, ...shown, progress: this.#best, state_hash: null, snapshot: null }
  }

  /** Its path has no digest: it never leaves this process. */
  #snapshotOf({ observation, reward, done, valid, progress }: SessionResult, name: string): SessionSnapshot {
    const said = { observation, reward, done, valid, progress, state_hash: null }
    return { ...said, step_index: 0, path: '', digest: '', state: { name } }
  }
}
