import type { SessionStanding } from '../environments/session-source.ts'

/** What an episode knows of a state after the step, or the reset, that led there. */
export type Standing = Omit<SessionStanding, 'snapshot'>

/** The environment of one episode: takes a step from any node, wherever its state lives. */
export interface NodeStates {
  /** The start of the task. */
  open(): Promise<Standing>
  /**
   * Takes an action in a node's state.
   *
   * @param node the node's place in the tree
   * @param effect names the step among the episode's effects
   */
  step(node: number, action: string, effect: string): Promise<Standing>
  /** Notes that what the last step of `effect` led to is a node now. */
  settle(node: number, parent: number, effect: string): void
  close(): Promise<void>
}
