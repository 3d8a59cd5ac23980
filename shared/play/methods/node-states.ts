import type { SessionResult } from '../../environments/session-source.ts'

export type StateResult = Omit<SessionResult, 'snapshot'>

/**
 * The environment of one episode: takes a step from any earlier state, wherever states live. The key of the step that
 * led to a state identifies it.
 */
export interface NodeStates {
  open(task: string, key: string): Promise<StateResult>
  /**
   * Takes an action in a state.
   *
   * @param from the key of that state
   * @param key names the step among the episode's effects, and from then on the state it led to
   */
  step(from: string, action: string, key: string): Promise<StateResult>
  /** The possible actions in a state; null: the environment does not list them. */
  validActions(at: string): Promise<readonly string[] | null>
  close(): Promise<void>
}
