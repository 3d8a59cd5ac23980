import type { SessionResult } from '../environments/session-source.ts'

/** The outcome of the step, or the reset, that led to a state. */
export type StateResult = Omit<SessionResult, 'snapshot'>

/**
 * The environment of one episode: takes a step from any earlier state, wherever states live. The key of the step that
 * led to a state identifies it.
 */
export interface NodeStates {
  /** Opens a task: the episode's own, or one that it trains on. */
  open(task: string, key: string): Promise<StateResult>
  /**
   * Takes an action in a state.
   *
   * @param from the key of that state
   * @param key names the step among the episode's effects, and from then on the state it led to
   */
  step(from: string, action: string, key: string): Promise<StateResult>
  close(): Promise<void>
}
