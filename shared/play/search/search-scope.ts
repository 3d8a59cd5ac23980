import type { Message, PromptMessage, Thinking } from '../../core/contracts/message.ts'
import type { Role } from '../../core/contracts/model-choice.ts'
import type { Random } from '../../core/random/random.ts'
import type { PromptBook } from './prompt-book.ts'
import type { SearchNode, SearchTree } from './tree.ts'

export type Asked = 'policy' | Exclude<Role, 'embedding'>

export interface Question {
  key: string
  role: Asked
  messages: readonly PromptMessage[]
  n?: number
  /** Minimum answer length to allow, in tokens, if the model's choice allows less. */
  answerTokens?: number
}

export interface Proposal {
  /**
   * The answer without the numbering that some models add ("Action 1:"). Two samples with the same message are equal.
   */
  message: string
  action: string
  effect: string
  complaint?: string
  /** The answer names no action: its last line stands for one. */
  unnamed?: true
  /** The policy's probability of choosing it; 1 if unknown. @default 1 */
  prior?: number
  thinking?: Thinking
  /** Further calls of the same answer, to be made in their order once this one is. */
  more?: readonly Proposal[]
}

export interface ProposalRequest {
  key: string
  n?: number
  notes?: string
  system?: string
}

export interface SearchScope {
  readonly tree: SearchTree
  readonly prompts: PromptBook
  readonly rules: string
  readonly defaultMaxSteps: number
  /** Asks the policy for an action at a node. Calls for one node may run concurrently. */
  propose(node: SearchNode, request: ProposalRequest): Promise<Proposal[]>
  /**
   * Takes the proposed action in the node's state, and adds the node it leads to.
   *
   * @param maxDepth - a child below this depth is terminal
   */
  step(node: SearchNode, proposal: Proposal, maxDepth?: number): Promise<SearchNode>
  /**
   * Adds a node for an answer without a readable action. It has the state of its parent, and is not expanded. The
   * environment takes no step.
   */
  addUnparsable(node: SearchNode, proposal: Proposal): SearchNode
  backUp(node: SearchNode, value: number): void
  /** Commits to the node as the episode's answer. The episode never leaves the path to it. */
  commit(node: SearchNode): void
  /** Ends the episode in the node's state, and gives it that reward, if the environment scores only ended episodes. */
  conclude(node: SearchNode): Promise<void>
  ask(question: Question): Promise<string[]>
  score(key: string, messages: readonly Message[]): Promise<number>
  noteUnread(effect: string, answers: number): void
  /**
   * The path to a node as text, for judges. Leaves out the oldest turns that exceed the prompt of the role's model,
   * and states how many.
   */
  transcript(node: SearchNode, role: Asked): Promise<string>
  /**
   * The newest pictures of the path to a node, for the message that holds its transcript: at most as many as the
   * role's model takes.
   */
  pictures(node: SearchNode, role: Asked): Pick<Message, 'pictures'>
  /** Seconds of working time so far, as the journal records it: the same in every replay. */
  elapsed(): number
  /** Random numbers, the same in every replay; generators of different keys are independent. */
  random(key: string): Random
}
