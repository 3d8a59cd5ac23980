import type { SearchNode, SearchTree } from '../search/search-tree.ts'
import type { ParsedAnswer } from './parse-answer.ts'

/** A model's answer to the question what to do at a node, and the key of the call that gave it. */
export interface Proposal extends ParsedAnswer {
  effect: string
}

/** What a method works with: the tree so far, and the two things that can be done to it. */
export interface MethodScope {
  readonly tree: SearchTree
  /** How long a trajectory may get in this environment unless a parameter says otherwise. */
  readonly defaultMaxSteps: number
  /**
   * Asks the policy what to do at a node; `sample` tells several questions at one node apart. Samples of one node can be
   * asked for side by side.
   */
  propose(node: SearchNode, sample: number): Promise<Proposal>
  /**
   * Takes the proposed action in the node's state, and adds the node it leads to.
   *
   * @param maxDepth - a child below this depth is terminal
   */
  step(node: SearchNode, proposal: Proposal, maxDepth?: number): Promise<SearchNode>
  /** Adds a visit and the value to the node and all above it. */
  backUp(node: SearchNode, value: number): void
}
