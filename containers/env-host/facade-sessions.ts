import type { Json } from '../../shared/contracts/json.ts'
import type { Session } from '../../shared/contracts/session.ts'
import type { EnvironmentFacts } from '../../shared/environments/environment.ts'

/** The result of a session's last step, or of its start. */
export type FacadeResult = Pick<Session, 'observation' | 'reward' | 'done' | 'valid' | 'progress'>

/**
 * A session that a facade holds for a client of another protocol. Calls are carried out one after the other.
 *
 * @throws EspalierError `unknown_session` from every call, when it expired; `session_done` from a step
 */
export interface FacadeSession {
  step(action: string): Promise<FacadeResult>
  /** Puts a task's start in its place, in the same slot. */
  restart(task: string, seed: number): Promise<FacadeResult>
  /** The actions that are understood and possible now; none where the environment cannot list them. */
  validActions(): Promise<readonly string[]>
  /** What the environment states of itself beside the observation, by name; null where it does not. */
  inspect(what: string): Promise<Json | null>
  /** Gives its slot back. Closing one that is gone does nothing. */
  close(): Promise<void>
}

/** The host's sessions as a facade sees them: they take the same slots, are reaped and drained like all others. */
export interface FacadeSessions {
  /** The ids of what can be opened. */
  readonly environments: readonly string[]
  /** How many sessions there can be at most, of all environments and protocols. */
  readonly slots: number
  /** Whether it still takes new sessions. */
  isDraining(): boolean
  /** @throws EspalierError `unknown_environment` */
  describe(environment: string): Promise<EnvironmentFacts>
  /** @throws EspalierError `unknown_task`, `host_full`, `host_draining` */
  open(request: {
    environment: string
    task: string
    seed: number
    /** Whether its slot goes to another session once it was unused for a while. */
    isEvictable?: boolean
  }): Promise<{ session: FacadeSession; result: FacadeResult }>
}
