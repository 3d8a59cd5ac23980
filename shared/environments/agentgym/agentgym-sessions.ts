import { z } from 'zod'
import { EspalierError } from '../../core/contracts/errors.ts'
import type { Json } from '../../core/contracts/json.ts'
import { SessionLostError } from '../session-lost-error.ts'
import type { LiveEnvironment, SessionRequest, SessionResult, SessionSource } from '../session-source.ts'
import { AgentgymCaller } from './agentgym-caller.ts'
import type { AgentgymKind, AgentgymReading } from './agentgym-kind.ts'
import { agentgymKinds } from './agentgym-kinds.ts'
import { type AgentgymRegistration, dataIndexOf } from './agentgym-registration.ts'
import type { ResetTurns } from './reset-turns.ts'
import { SessionPlaces } from './session-places.ts'

const defaultTimeout = 300
const longestClose = 10_000

/**
 * Opens sessions on an AgentGym server. AgentGym has no seeds, so it ignores a request's seed. If a server cannot
 * close sessions, its sessions are reused. Resets run one at a time, because sessions share state between them.
 * @example
 * const sessions = new AgentgymSessions(registration)
 * const { live, result } = await sessions.open({ task: 'lab-00042', seed: 0, holder: 'me' }, signal)
 */
export class AgentgymSessions implements SessionSource {
  readonly #environment: string
  readonly #kind: AgentgymKind
  readonly #caller: AgentgymCaller
  readonly #places: SessionPlaces
  readonly #idle: number[] = []

  constructor(
    {
      id,
      server,
      address,
      max_sessions,
    }: Pick<AgentgymRegistration, 'id' | 'server' | 'address' | 'max_sessions'>,
    { timeout = defaultTimeout, turns }: { timeout?: number; turns?: ResetTurns } = {},
  ) {
    this.#environment = id
    this.#kind = agentgymKinds[server]
    this.#caller = new AgentgymCaller(id, address, timeout, turns)
    this.#places = new SessionPlaces(max_sessions)
  }

  async open(
    { task, onNoRoom }: SessionRequest,
    signal: AbortSignal,
    leaving = signal,
  ): Promise<{ live: LiveEnvironment; result: SessionResult }> {
    const dataIndex = dataIndexOf(this.#environment, task)
    await this.#places.take(leaving, onNoRoom)
    try {
      const known = this.#idle.pop()
      if (known !== undefined) {
        const opened = await this.#start(known, dataIndex, signal).catch(unlessLost)
        if (opened) return opened
      }
      return await this.#start(await this.#create(signal), dataIndex, signal)
    } catch (error) {
      this.#places.giveBack()
      throw error
    }
  }

  async #create(signal: AbortSignal): Promise<number> {
    const { create } = this.#kind
    const request = { path: '/create', repeatable: true, waits: true, ...(create && { body: create }) }
    const answer = await this.#caller.call(request, signal)
    return understood('/create', () => this.#kind.readId(answer))
  }

  async #start(
    id: number,
    dataIndex: number,
    signal: AbortSignal,
  ): Promise<{ live: LiveEnvironment; result: SessionResult }> {
    const onClose = () => this.#places.giveBack()
    const live = new AgentgymSession({
      kind: this.#kind,
      caller: this.#caller,
      id,
      dataIndex,
      idle: this.#idle,
      onClose,
    })
    try {
      return { live, result: await live.restore(null, signal) }
    } catch (error) {
      await live.leave()
      throw error
    }
  }
}

interface SessionPlace {
  kind: AgentgymKind
  caller: AgentgymCaller
  id: number
  dataIndex: number
  idle: number[]
  onClose(): void
}

class AgentgymSession implements LiveEnvironment {
  readonly #place: SessionPlace
  #best = 0
  #isLost = false
  #isClosed = false

  constructor(place: SessionPlace) {
    this.#place = place
  }

  async step(action: string, signal: AbortSignal): Promise<SessionResult> {
    const { kind, id } = this.#place
    // A lone surrogate cannot be sent as UTF-8, and the servers refuse it.
    const body = kind.stepBody(id, action.toWellFormed())
    const reading = await this.#play({ path: '/step', body, repeatable: false }, kind.readStep, signal)
    return this.#toResult(reading, kind.isValid(action, reading.observation))
  }

  async restore(snapshot: object | null, signal: AbortSignal): Promise<SessionResult> {
    if (snapshot !== null) {
      throw new EspalierError(
        'not_supported',
        'A session of an AgentGym server has no snapshots. Replay its path.',
      )
    }
    const { kind, id, dataIndex } = this.#place
    const body = kind.resetBody(id, dataIndex)
    const reading = await this.#play({ path: '/reset', body, repeatable: true }, kind.readReset, signal)
    this.#best = 0
    return this.#toResult(reading, true)
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await this.leave()
    this.#place.onClose()
  }

  async leave(): Promise<void> {
    if (this.#isLost) return
    const { kind, caller, id, idle } = this.#place
    if (kind.closes) {
      const call = { path: '/close', body: { id }, repeatable: false }
      await Promise.allSettled([caller.call(call, AbortSignal.timeout(longestClose))])
    } else {
      idle.push(id)
    }
  }

  async #play(
    call: Parameters<AgentgymCaller['call']>[0],
    read: (answer: Json) => AgentgymReading,
    signal: AbortSignal,
  ): Promise<AgentgymReading> {
    try {
      const answer = await this.#place.caller.call(call, signal)
      return understood(call.path, () => read(answer))
    } catch (error) {
      // After an aborted call the server may still be working on the session.
      if (!EspalierError.isInstance(error)) this.#isLost = true
      throw error
    }
  }

  #toResult({ observation, reward, done }: AgentgymReading, valid: boolean): SessionResult {
    this.#best = Math.max(this.#best, Math.min(1, reward))
    return { observation, reward, done, valid, progress: this.#best, state_hash: null, snapshot: null }
  }
}

function understood<Result>(path: string, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error
    const at = error.issues[0]?.path.join('.') ?? ''
    throw new EspalierError(
      'endpoint_failed',
      `The AgentGym server's answer to ${path} has another shape than it should${at === '' ? '' : ` at "${at}"`}. Check that it is the kind of server that it is registered as.`,
      { cause: error },
    )
  }
}

function unlessLost(error: unknown): null {
  if (error instanceof SessionLostError) return null
  throw error
}
