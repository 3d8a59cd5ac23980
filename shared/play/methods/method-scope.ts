import type { Json } from '../../core/contracts/json.ts'
import type { LearnedAction } from '../../core/contracts/library.ts'
import type { MemoryNote } from '../../core/contracts/memory.ts'
import type { Picture, SentPicture } from '../../core/contracts/picture.ts'
import type { EnvironmentGuide } from '../../environments/environment.ts'
import type { CallSettings, TokenLogprob } from '../models/call-settings.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Proposal, ProposalRequest, SearchScope } from '../search/search-scope.ts'
import type { SearchNode } from '../search/tree.ts'
import type { Fork } from './fork.ts'
import type { NewNote, Situation } from './memory/episode-memory.ts'
import type { AskedChoice, SetQuestion } from './model-calls.ts'

export interface Recollection {
  key: string
  side: MemoryNote['side']
  situation: Situation
  most: number
  /** The least relevance, at most 1; see `ReflectionIndex`. */
  least: number
}

export interface MethodScope extends SearchScope {
  readonly objective: string
  readonly guide: EnvironmentGuide
  readonly notes: readonly MemoryNote[]
  readonly actions: readonly LearnedAction[]
  readonly sandbox: Sandbox
  propose(node: SearchNode, request: SetProposalRequest): Promise<MeasuredProposal[]>
  fork(node: SearchNode, key: string): Fork
  land(node: SearchNode, proposal: Proposal, landing: Landing): SearchNode
  recall(recollection: Recollection): Promise<MemoryNote[]>
  /**
   * Runs a pure computation outside this thread, as `EffectScope` does: a replay repeats it and must get the same
   * result.
   */
  compute<Result>(perform: () => Promise<Result>): Promise<Result>
  /** Fires when the attempt ends, in any way, so that its resources are released. */
  readonly ended: AbortSignal
  remember(note: NewNote, key: string): Promise<void>
  choose(question: SetQuestion): Promise<AskedChoice[]>
  validActions(node: SearchNode): Promise<readonly string[] | null>
  perform(key: string, work: () => Promise<Json>): Promise<Json>
  keepPicture(sent: SentPicture): Promise<Picture>
}

export type SetProposalRequest = ProposalRequest & { settings?: CallSettings }

export type MeasuredProposal = Proposal & { logprobs?: readonly TokenLogprob[] }

export interface Landing {
  fork: Fork
  /** If true, the node has the fork's last state; otherwise it has the fork's first. */
  keep: boolean
  observation: string
  valid: boolean
}

export interface LearnScope extends MethodScope {
  readonly training: readonly string[]
  describe(task: string): { guide: EnvironmentGuide; objective: string }
  begin(task: string, label: string): Promise<SearchNode>
  learn(action: Omit<LearnedAction, 'group'>): void
}
