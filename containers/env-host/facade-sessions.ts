import type { Json } from '../../shared/core/contracts/json.ts'
import type { Session } from '../../shared/core/contracts/session.ts'
import type { EnvironmentFacts } from '../../shared/environments/environment.ts'

export type FacadeResult = Pick<Session, 'observation' | 'reward' | 'done' | 'valid' | 'progress'>

/**
 * A session that a facade holds for a client of another protocol. Calls run one after the other.
 * @throws EspalierError `unknown_session` from every call, when it expired; `session_done` from a step
 */
export interface FacadeSession {
  step(action: string): Promise<FacadeResult>
  restart(task: string, seed: number): Promise<FacadeResult>
  validActions(): Promise<readonly string[]>
  inspect(what: string): Promise<Json | null>
  close(): Promise<void>
}

export interface FacadeSessions {
  readonly environments: readonly string[]
  readonly slots: number
  isDraining(): boolean
  /** @throws EspalierError `unknown_environment` */
  describe(environment: string): Promise<EnvironmentFacts>
  open(request: {
    environment: string
    task: string
    seed: number
    /** True if another session may take its slot after a time without use. */
    isEvictable?: boolean
  }): Promise<{ session: FacadeSession; result: FacadeResult }>
}
