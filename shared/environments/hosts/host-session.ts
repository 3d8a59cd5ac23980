import { EspalierError } from '../../core/contracts/errors.ts'
import type { HostAnswer, HostCall, HostCaller } from '../../core/contracts/host-call.ts'
import type { ModelQuestions } from '../../core/contracts/model-question.ts'
import type { SentPicture } from '../../core/contracts/picture.ts'
import {
  type Session,
  type SessionSnapshot,
  sessionActionsSchema,
  sessionSchema,
  sessionStepSchema,
} from '../../core/contracts/session.ts'
import type { PictureStore } from '../../core/pictures/picture-store.ts'
import type { LiveEnvironment, SeenResult, SessionResult, StoredQuestions } from '../session-source.ts'
import { hostAnswerError } from './host-answer-error.ts'
import type { HeldPlace, SessionPlace } from './session-place.ts'

/** Tries of a call without an answer. The same step is carried out once only, however often it is sent. */
const mostCalls = 3
const longestClose = 10_000

export interface HostSessionOptions {
  caller: HostCaller
  place: SessionPlace
  pictures: PictureStore
  withSnapshots: boolean
  keepsStates?: boolean
  path: string
  within?: number
}

export class HostSession implements LiveEnvironment {
  readonly #options: HostSessionOptions
  #path: string
  #steps = 0

  constructor(options: HostSessionOptions) {
    this.#options = options
    this.#path = options.path
  }

  get host(): string | undefined {
    const { keepsStates = false, place } = this.#options
    return keepsStates ? place.last.host : undefined
  }

  async step(action: string, signal: AbortSignal, seen?: SeenResult): Promise<SessionResult> {
    const { withSnapshots, place } = this.#options
    const { host, session, token } = await place.hold()
    const from = { step_index: this.#steps, from: this.#path }
    const shown = {
      ...(seen && { seen: seen.observation }),
      ...(seen?.screen !== undefined && { seen_screen: seen.screen }),
    }
    const body = { action, ...from, token, snapshot: withSnapshots, ...shown }
    const answer = await this.#call({ operation: 'step', host, session, body }, signal)
    const { snapshot = null, path, ...step } = sessionStepSchema.parse(answer)
    this.#path = path
    this.#steps += 1
    return { ...(await toSessionResult(step, this.#options.pictures)), snapshot }
  }

  async restore(snapshot: SessionSnapshot | null, signal: AbortSignal): Promise<SessionResult> {
    const { host, session, token } = await this.#options.place.hold()
    const body = { token, ...(snapshot && { snapshot }) }
    const answer = await this.#call({ operation: 'restore', host, session, body }, signal)
    const restored = sessionSchema.parse(answer)
    this.#path = restored.path
    this.#steps = restored.step_index
    return { ...(await toSessionResult(restored, this.#options.pictures)), snapshot }
  }

  async validActions(signal: AbortSignal): Promise<readonly string[] | null> {
    const { host, session, token } = await this.#options.place.hold()
    try {
      const answer = await this.#call({ operation: 'actions', host, session, body: { token } }, signal)
      return sessionActionsSchema.parse(answer).actions
    } catch (error) {
      // A server of an earlier version does not know the call.
      if (EspalierError.isInstance(error) && error.code === 'not_found') return null
      throw error
    }
  }

  async close(): Promise<void> {
    const { caller, place } = this.#options
    await closeSession(caller, place.last)
    await Promise.allSettled([place.release()])
  }

  async #call(call: HostCall, signal: AbortSignal): Promise<HostAnswer['body']> {
    const { caller, within } = this.#options
    for (let made = 1; ; made += 1) {
      const answer = await caller.call(call, signal, within)
      if (answer.status < 400) return answer.body
      const error = hostAnswerError(answer)
      // After a network failure it is unknown whether the host carried the call out; the same call again shows it.
      if (answer.status < 502 || made >= mostCalls) throw error
    }
  }
}

/**
 * Asks a host to close a session. Even if that fails, its slot becomes free: the next holder's token is higher, and
 * an unreleased lease expires. Never fails.
 */
export async function closeSession(caller: HostCaller, { host, session, token }: HeldPlace): Promise<void> {
  const closing = AbortSignal.timeout(longestClose)
  await Promise.allSettled([caller.call({ operation: 'close', host, session, body: { token } }, closing)])
}

async function storeQuestions(
  { verdicts, captions }: ModelQuestions,
  store: PictureStore,
): Promise<StoredQuestions> {
  const put = async <Question extends { pictures?: SentPicture[] }>({
    pictures: sent,
    ...question
  }: Question) => ({
    ...question,
    ...(sent && { pictures: await Promise.all(sent.map((picture) => store.put(picture))) }),
  })
  return {
    verdicts: await Promise.all(verdicts.map((group) => Promise.all(group.map(put)))),
    captions: await Promise.all(captions.map(put)),
  }
}

export async function toSessionResult(
  answered: Pick<Session, keyof SessionResult & keyof Session>,
  store: PictureStore,
): Promise<SessionResult> {
  const { observation, pictures: sent = [], questions, runtime, screen, trace } = answered
  const { reward, done, valid, progress, state_hash } = answered
  const more = {
    ...(questions && { questions: await storeQuestions(questions, store) }),
    ...(runtime !== undefined && { runtime }),
    ...(screen !== undefined && { screen }),
    ...(trace !== undefined && { trace }),
  }
  const result = { observation, ...more, reward, done, valid, progress, state_hash, snapshot: null }
  if (sent.length === 0) return result
  return { ...result, pictures: await Promise.all(sent.map((picture) => store.put(picture))) }
}
