import { randomUUID } from 'node:crypto'
import { EspalierError } from '../../shared/contracts/errors.ts'
import type {
  CreateSession,
  ForkSession,
  HostHealth,
  Session,
  SessionSnapshot,
  SessionStep,
  StepSession,
} from '../../shared/contracts/session.ts'
import { environments, findEnvironment } from '../../shared/environments/environments.ts'
import { LiveSession } from './live-session.ts'

export interface SessionTableOptions {
  /** Sessions at most. */
  slots: number
  /** Seconds after which a session that nobody used is let go. */
  sessionIdle: number
  /** Milliseconds, from any start. */
  now?: () => number
}

/** The sessions of a host, all in this process: an environment written as a pure core has no other state. */
export class SessionTable {
  readonly #slots: number
  readonly #sessionIdle: number
  readonly #now: () => number
  /** The one that was used longest ago comes first. */
  readonly #sessions = new Map<string, LiveSession>()
  #emptySince: number
  #draining = false

  constructor({ slots, sessionIdle, now = () => performance.now() }: SessionTableOptions) {
    this.#slots = slots
    this.#sessionIdle = sessionIdle
    this.#now = now
    this.#emptySince = now()
  }

  /**
   * Opens a session. Where its id is known, the same request under the same token has the same answer, and a higher token
   * puts a new session in the place of the old one.
   *
   * @throws EspalierError `unknown_environment`, `unknown_task`, `session_fenced`, `conflict`, `host_full`, `host_draining`
   */
  create(request: CreateSession): Session {
    const { id = newId(), environment, task, seed, token, snapshot } = request
    const asked = JSON.stringify([environment, task, seed, snapshot?.digest])
    return this.#place(asked, id, token, () => {
      const place = { id, environment: findEnvironment(environment), task, seed, token, request: asked }
      return LiveSession.create(place, snapshot)
    })
  }

  /** Opens another session at the same state; its id and token are its own, as in {@link create}. */
  fork(parent: string, { token, fork }: ForkSession): Session {
    const session = this.#use(parent, token)
    const { id = newId() } = fork
    const asked = JSON.stringify(['fork', parent])
    return this.#place(asked, id, fork.token, () => session.fork({ id, token: fork.token, request: asked }))
  }

  step(id: string, { action, step_index, token }: StepSession): SessionStep {
    return this.#use(id, token).step(action, step_index)
  }

  snapshot(id: string, token: number): SessionSnapshot {
    return this.#use(id, token).snapshot()
  }

  close(id: string, token: number): void {
    this.#use(id, token)
    this.#forget(id)
  }

  /** Lets go of the sessions that nobody used for too long. */
  reap(): number {
    const oldest = this.#now() - this.#sessionIdle * 1000
    const before = this.#sessions.size
    for (const [id, { usedAt }] of this.#sessions) {
      if (usedAt > oldest) break
      this.#forget(id)
    }
    return before - this.#sessions.size
  }

  /** From now on there are no new sessions. */
  drain(): void {
    this.#draining = true
  }

  health(): HostHealth {
    const sessions = this.#sessions.size
    return {
      object: 'health',
      status: this.#draining ? 'draining' : 'ok',
      environments: Object.keys(environments),
      slots: this.#slots,
      sessions,
      free_slots: this.#draining ? 0 : this.#slots - sessions,
      idle_for: sessions > 0 ? 0 : Math.max(0, this.#now() - this.#emptySince) / 1000,
    }
  }

  #place(origin: string, id: string, token: number, make: () => LiveSession): Session {
    const known = this.#sessions.get(id)
    if (known !== undefined && token <= known.token) {
      known.admit(token)
      if (known.request === origin) return known.opening
      throw new EspalierError(
        'conflict',
        `The session ${id} was opened by another request under the same token. Choose another id, or take a higher token.`,
        { param: 'id' },
      )
    }
    if (this.#draining) {
      throw new EspalierError('host_draining', 'This host is about to leave. Open the session on another.')
    }
    if (known === undefined && this.#sessions.size >= this.#slots) {
      throw new EspalierError(
        'host_full',
        `This host holds ${this.#slots} sessions, as many as it may. Open the session on another, or close one.`,
      )
    }
    const made = make()
    this.#touch(made)
    return made.opening
  }

  /** @throws EspalierError `unknown_session`, `session_fenced` */
  #use(id: string, token: number): LiveSession {
    const session = this.#sessions.get(id)
    if (session === undefined) {
      throw new EspalierError(
        'unknown_session',
        `There is no session ${id} here: it never was, it was closed, or nobody used it for ${this.#sessionIdle} seconds. Create it again.`,
      )
    }
    session.admit(token)
    this.#touch(session)
    return session
  }

  #touch(session: LiveSession): void {
    session.usedAt = this.#now()
    this.#sessions.delete(session.id)
    this.#sessions.set(session.id, session)
  }

  #forget(id: string): void {
    this.#sessions.delete(id)
    if (this.#sessions.size === 0) this.#emptySince = this.#now()
  }
}

function newId(): string {
  return `session-${randomUUID()}`
}
