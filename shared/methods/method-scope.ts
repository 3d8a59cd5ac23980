import type { LearnedAction } from '../contracts/library.ts'
import type { MemoryNote } from '../contracts/memory.ts'
import type { EnvironmentGuide } from '../environments/environment.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Proposal } from '../search/proposals.ts'
import type { ProposalRequest, SearchScope } from '../search/search-scope.ts'
import type { SearchNode } from '../search/tree.ts'
import type { Fork } from './fork.ts'
import type { NewNote, Situation } from './memory/episode-memory.ts'

/** Which notes are wanted. */
export interface Recollection {
  /** Names the look-up among the episode's effects. */
  key: string
  side: MemoryNote['side']
  /** What was to be done and what is seen: notes are found by it. */
  situation: Situation
  most: number
  /** The least relevance, at most 1; see `ReflectionIndex`. */
  least: number
}

/** What a method works with: the scope of searches, and what only some methods need. */
export interface MethodScope extends SearchScope {
  /** The task in one line, for notes about it. */
  readonly objective: string
  readonly guide: EnvironmentGuide
  /** What was learned before this episode began: every note of the task's group, and every learned action. */
  readonly notes: readonly MemoryNote[]
  readonly actions: readonly LearnedAction[]
  readonly sandbox: Sandbox
  propose(node: SearchNode, request: ProposalRequest): Promise<Proposal[]>
  /** Steps away from a node that lead to no node of their own, unless they are landed. */
  fork(node: SearchNode, key: string): Fork
  /** Adds the node that a fork has led to, in its state, or a node that stays in the state before it. */
  land(node: SearchNode, proposal: Proposal, landing: Landing): SearchNode
  /** Notes of earlier episodes that fit a situation. */
  recall(recollection: Recollection): Promise<MemoryNote[]>
  /**
   * Has something computed outside this thread that follows from what is known, as `EffectScope` says: a replay computes it
   * again, and must come to the same.
   */
  compute<Result>(perform: () => Promise<Result>): Promise<Result>
  /** Fires when the attempt is over, whichever way: what was opened for it is let go then. */
  readonly ended: AbortSignal
  /** Hands a note on to later episodes, with what it is found by. */
  remember(note: NewNote, key: string): Promise<void>
}

/** How a fork ends up in the tree. */
export interface Landing {
  fork: Fork
  /** Whether the node is in the state that the fork led to; otherwise in the one that it began with. */
  keep: boolean
  observation: string
  valid: boolean
}

/** What a learning episode works with: several tasks, and what it hands on. */
export interface LearnScope extends MethodScope {
  /** The tasks to learn from. */
  readonly training: readonly string[]
  /** The guide and objective of a training task: tasks may be of several types. */
  describe(task: string): { guide: EnvironmentGuide; objective: string }
  /** Begins a training task: a node below the root, in the task's first state. */
  begin(task: string, label: string): Promise<SearchNode>
  /** Hands an action on to later episodes. */
  learn(action: Omit<LearnedAction, 'group'>): void
}
