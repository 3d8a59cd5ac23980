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

/** The sessions of an environment in its caller's process. A search goes back to a state by its steps. */
export class BridgeSessions implements SessionSource {
  readonly #bridge: Bridge
  readonly #pictures: PictureStore

  constructor(bridge: Bridge, pictures: PictureStore) {
    this.#bridge = bridge
    this.#pictures = pictures
  }

  async open(request: SessionRequest, signal: AbortSignal) {
    const link = await this.#bridge.reach()
    const live = new BridgeSession(link, this.#pictures, request)
    return { live, result: await live.restore(null, signal) }
  }
}

class BridgeSession implements LiveEnvironment {
  readonly #link: BridgeLink
  readonly #pictures: PictureStore
  readonly #request: SessionRequest
  readonly #session = randomUUID()
  #best = 0

  constructor(link: BridgeLink, pictures: PictureStore, request: SessionRequest) {
    this.#link = link
    this.#pictures = pictures
    this.#request = request
  }

  step(action: string, signal: AbortSignal): Promise<SessionResult> {
    return this.#see({ op: 'step', session: this.#session, action }, signal)
  }

  restore(_: SessionSnapshot | null, signal: AbortSignal): Promise<SessionResult> {
    const { seed, task } = this.#request
    this.#best = 0
    return this.#see({ op: 'reset', session: this.#session, task, seed }, signal)
  }

  async validActions(signal: AbortSignal): Promise<readonly string[]> {
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
    const pictures = await Promise.all(sent.map((picture) => this.#pictures.put(picture)))
    const shown = pictures.length === 0 ? {} : { pictures }
    return { ...seen, ...shown, progress: this.#best, state_hash: null, snapshot: null }
  }
}
