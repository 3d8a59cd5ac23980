import { hash, randomUUID } from 'node:crypto'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import type { Json } from '../../shared/core/contracts/json.ts'
import type {
  CreateSession,
  ForkSession,
  HostHealth,
  RestoreSession,
  Session,
  SessionSnapshot,
  SessionStep,
  StepSession,
} from '../../shared/core/contracts/session.ts'
import { LiveSession } from './live-session.ts'
import type { ServedEnvironments } from './served-environments.ts'
import type { SessionBackend } from './session-backend.ts'

export interface SessionTableOptions {
  environments: ServedEnvironments
  slots: number
  sessionIdle: number
  /**
   * Seconds after which an unused evictable session is closed for a new one, when all slots are taken. @default 60
   */
  yieldAfter?: number
  /** Opens no session beside or after one that may leave traces. @default false */
  leavesSpent?: boolean
  now?: () => number
}

export class SessionTable {
  readonly environments: ServedEnvironments
  readonly #slots: number
  readonly #sessionIdle: number
  readonly #yieldAfter: number
  readonly #leavesSpent: boolean
  readonly #now: () => number
  readonly #sessions = new Map<string, LiveSession>()
  #emptySince: number
  #draining = false

  constructor({
    environments,
    slots,
    sessionIdle,
    yieldAfter = 60,
    leavesSpent = false,
    now = () => performance.now(),
  }: SessionTableOptions) {
    this.environments = environments
    this.#slots = slots
    this.#sessionIdle = sessionIdle
    this.#yieldAfter = yieldAfter
    this.#leavesSpent = leavesSpent
    this.#now = now
    this.#emptySince = now()
  }

  /**
   * Opens a session. For a known id, the same request under the same token has the same answer, and a higher token
   * replaces the old session.
   * @param isEvictable true if a new session may take its slot after a time without use
   * @throws EspalierError `unknown_environment`, `unknown_task`, `session_fenced`, `conflict`, `host_full`,
   * `host_draining`
   */
  async create(request: CreateSession, isEvictable = false): Promise<Session> {
    const { id = newId(), environment, task, seed, token, snapshot, files, options } = request
    const asked = JSON.stringify([
      environment,
      task,
      seed,
      snapshot?.digest,
      files && digestOf(files),
      options,
    ])
    return this.#place(asked, id, token, (earlier) => {
      const origin = { id, environment, task, seed, token, request: asked }
      const wanted = { task, seed, ...(files && { files }), ...(options && { options }) }
      const open = () => this.environments.open(environment, wanted, earlier)
      const made = LiveSession.create({ origin, onLost: this.#onLost }, open, snapshot)
      made.isEvictable = isEvictable
      return made
    })
  }

  /**
   * Opens another session at the same state, with its own id and token, as in {@link create}.
   * @throws EspalierError `not_supported` if a program holds the state
   */
  async fork(parent: string, { token, fork }: ForkSession): Promise<Session> {
    const session = this.#find(parent, token)
    const { id = newId() } = fork
    const asked = JSON.stringify(['fork', parent])
    return this.#place(asked, id, fork.token, () =>
      session.fork({ id, token: fork.token, request: asked }, token),
    )
  }

  step(id: string, request: StepSession): Promise<SessionStep> {
    return this.#use(id, request.token, (session) => session.step(request))
  }

  snapshot(id: string, token: number): Promise<SessionSnapshot> {
    return this.#use(id, token, (session) => session.snapshot(token))
  }

  restore(id: string, { token, snapshot }: RestoreSession): Promise<Session> {
    return this.#use(id, token, (session) => session.restore(token, snapshot))
  }

  validActions(id: string, token: number): Promise<readonly string[] | null> {
    return this.#use(id, token, (session) => session.validActions(token))
  }

  inspect(id: string, token: number, what: string): Promise<Json | null> {
    return this.#use(id, token, (session) => session.inspect(token, what))
  }

  async close(id: string, token: number): Promise<void> {
    const session = this.#find(id, token)
    this.#forget(session)
    await session.close()
  }

  reap(): number {
    const oldest = this.#now() - this.#sessionIdle * 1000
    const before = this.#sessions.size
    for (const session of this.#sessions.values()) {
      if (session.usedAt > oldest) break
      if (session.isBusy) continue
      this.#forget(session)
      void session.close()
    }
    return before - this.#sessions.size
  }

  async stop(): Promise<void> {
    const sessions = [...this.#sessions.values()]
    for (const session of sessions) this.#forget(session)
    // End a busy program instead of waiting for it.
    await this.environments.stop()
    await Promise.all(sessions.map((session) => session.close()))
  }

  drain(): void {
    this.#draining = true
  }

  get isSpent(): boolean {
    return this.#sessions.size === 0 && this.#areSpent
  }

  get #areSpent(): boolean {
    return this.#leavesSpent && this.environments.areSpent
  }

  get #isOpen(): boolean {
    return !this.#draining && !this.#areSpent
  }

  health(): HostHealth {
    const sessions = this.#sessions.size
    return {
      object: 'health',
      status: this.#isOpen ? 'ok' : 'draining',
      environments: this.environments.ids,
      slots: this.#slots,
      sessions,
      free_slots: this.#isOpen ? this.#slots - sessions : 0,
      idle_for: sessions > 0 ? 0 : Math.max(0, this.#now() - this.#emptySince) / 1000,
    }
  }

  async #place(
    origin: string,
    id: string,
    token: number,
    make: (earlier: SessionBackend | null) => LiveSession,
  ): Promise<Session> {
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
    if (!this.#isOpen) {
      // Its old holder has lost it to the caller, and it would keep the host from leaving.
      if (known !== undefined) this.#onLost(known)
      throw new EspalierError('host_draining', 'This host is about to leave. Open the session on another.')
    }
    if (known === undefined && this.#sessions.size >= this.#slots && !this.#makeRoom()) {
      throw new EspalierError(
        'host_full',
        `This host holds ${this.#slots} sessions, as many as it may. Open the session on another, or close one.`,
      )
    }
    const made = make(known?.handOver() ?? null)
    this.#touch(made)
    void known?.close()
    try {
      return await made.opening
    } catch (error) {
      this.#forget(made)
      throw error
    }
  }

  #makeRoom(): boolean {
    const oldest = this.#now() - this.#yieldAfter * 1000
    for (const session of this.#sessions.values()) {
      if (session.usedAt > oldest) break
      if (!session.isEvictable || session.isBusy) continue
      this.#forget(session)
      void session.close()
      return true
    }
    return false
  }

  async #use<Result>(
    id: string,
    token: number,
    work: (session: LiveSession) => Promise<Result>,
  ): Promise<Result> {
    const session = this.#find(id, token)
    try {
      return await work(session)
    } finally {
      // A long call counts as use until its end.
      if (this.#sessions.get(id) === session) this.#touch(session)
    }
  }

  #find(id: string, token: number): LiveSession {
    const session = this.#sessions.get(id)
    if (session === undefined) {
      throw new EspalierError(
        'unknown_session',
        `There is no session ${id} here: it was never created, was closed, or expired after ${this.#sessionIdle} seconds without use. Create it again.`,
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

  #forget(session: LiveSession): void {
    if (this.#sessions.get(session.id) !== session) return
    this.#sessions.delete(session.id)
    if (this.#sessions.size === 0) this.#emptySince = this.#now()
  }

  readonly #onLost = (session: LiveSession): void => {
    this.#forget(session)
    void session.close()
  }
}

function newId(): string {
  return `session-${randomUUID()}`
}

function digestOf(files: Readonly<Record<string, string>>): string {
  return hash('sha256', JSON.stringify(files), 'base64url')
}
