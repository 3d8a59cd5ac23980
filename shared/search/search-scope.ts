import type { Message } from '../contracts/message.ts'
import type { Role } from '../contracts/model-choice.ts'
import type { PromptBook } from '../prompts/prompt-book.ts'
import type { Random } from '../random/random.ts'
import type { Proposal } from './proposals.ts'
import type { SearchNode, SearchTree } from './tree.ts'

/** The model that is asked: the policy, or one of the run's roles. */
export type Asked = 'policy' | Exclude<Role, 'embedding'>

/** One call to a model. */
export interface Question {
  /** Names the call among the episode's effects. */
  key: string
  role: Asked
  messages: readonly Message[]
  /** How many answers are wanted. @default 1 */
  n?: number
  /** How long an answer must be allowed to get, in tokens, where the model's choice allows less. */
  answerTokens?: number
}

/** A request for proposals at a node. */
export interface ProposalRequest {
  /** Names the call among those at this node. */
  key: string
  /** How many answers are wanted. @default 1 */
  n?: number
  /** Advice that is shown with the last observation. */
  notes?: string
  /** The system prompt, in place of the episode's. */
  system?: string
}

/** What a search works with: the tree so far, the operations on it, and the models. */
export interface SearchScope {
  readonly tree: SearchTree
  readonly prompts: PromptBook
  /** The environment's rules, as the agent's prompt has them. */
  readonly rules: string
  /** How long a trajectory may get in this task unless a parameter says otherwise. */
  readonly defaultMaxSteps: number
  /** Asks the policy which action to take at a node. Calls for one node may run side by side. */
  propose(node: SearchNode, request: ProposalRequest): Promise<Proposal[]>
  /**
   * Takes the proposed action in the node's state, and adds the node it leads to.
   *
   * @param maxDepth - a child below this depth is terminal
   */
  step(node: SearchNode, proposal: Proposal, maxDepth?: number): Promise<SearchNode>
  /**
   * Adds a node for an answer that no action could be read from. It is in the state of its parent, and is not expanded. The
   * environment takes no step.
   */
  addUnparsable(node: SearchNode, proposal: Proposal): SearchNode
  /** Adds a visit and the value to the node and all above it. */
  backUp(node: SearchNode, value: number): void
  /** Makes the node the episode's answer. The path to it is never left again. */
  commit(node: SearchNode): void
  /** Asks a model anything. */
  ask(question: Question): Promise<string[]>
  /** The value of a conversation by the model of the role `value`, which was trained to give one. */
  score(key: string, messages: readonly Message[]): Promise<number>
  /** Records that answers of a call could not be read. */
  noteUnread(effect: string, answers: number): void
  /**
   * The path to a node as text, for judges. The oldest turns are left out where the role's model cannot take all, and the
   * text says how many.
   */
  transcript(node: SearchNode, role: Asked): Promise<string>
  /** The newest pictures of the path to a node, for the message that holds its transcript: as many as the role's model is shown. */
  pictures(node: SearchNode, role: Asked): Pick<Message, 'pictures'>
  /** Seconds of working time so far, as the journal records it: the same in every replay. */
  elapsed(): number
  /** Numbers that are the same in every replay; generators of different keys are independent. */
  random(key: string): Random
}
