import type { SessionResult } from '../environments/session-source.ts'

/** What an episode knows of a state after the step, or the reset, that led there. */
export type StateResult = Omit<SessionResult, 'snapshot'>

/**
 * The environment of one episode: takes a step from any state it has been in, wherever states live. States are known by
 * the keys of the steps that led to them.
 */
export interface NodeStates {
  /** The start of a task: the episode's own, or one that it trains on. */
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
