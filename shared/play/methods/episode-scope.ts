import type { Json } from '../../core/contracts/json.ts'
import type { LearnedAction } from '../../core/contracts/library.ts'
import type { MemoryNote } from '../../core/contracts/memory.ts'
import type { Message, Observation } from '../../core/contracts/message.ts'
import type { Role } from '../../core/contracts/model-choice.ts'
import type { Picture, SentPicture } from '../../core/contracts/picture.ts'
import type { PrimitiveStep, TreeTool } from '../../core/contracts/tree.ts'
import { wellFormed } from '../../core/contracts/well-formed.ts'
import type { Random } from '../../core/random/random.ts'
import type { EnvironmentGuide } from '../../environments/environment.ts'
import { namesAction } from '../answers/read-action.ts'
import { estimateToolTokens } from '../models/estimate-tokens.ts'
import { countWithin, type TokenCounter } from '../models/token-counter.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { contentOf, layOutHead } from '../search/conversation.ts'
import { usualPictures } from '../search/newest-pictures.ts'
import type { PromptBook } from '../search/prompt-book.ts'
import type { Asked, Proposal, Question } from '../search/search-scope.ts'
import { isLaterCall } from '../search/several-calls.ts'
import { type SearchNode, SearchTree } from '../search/tree.ts'
import type { NodeEntry, OpenEntry, TreeEntry } from '../search/tree-entry.ts'
import { Fork } from './fork.ts'
import type { NewNote } from './memory/episode-memory.ts'
import type {
  Landing,
  LearnScope,
  MeasuredProposal,
  Recollection,
  SetProposalRequest,
} from './method-scope.ts'
import type { AskedChoice, SetQuestion } from './model-calls.ts'
import { noTask } from './no-task.ts'
import type { StateResult } from './node-states.ts'
import { parseAnswer, unparsableAnswer } from './parse-answer.ts'
import type { EpisodeParts, PlayedEpisode } from './played-episode.ts'
import { orderedSandbox } from './programs/ordered-sandbox.ts'
import { fitPrompt } from './prompts/fit-prompt.ts'
import { fitTranscript } from './prompts/fit-transcript.ts'
import { knowledgePrompts } from './prompts/knowledge-prompts.ts'
import { prefixPrompts } from './prompts/prefix-prompts.ts'
import { ShownTurns } from './prompts/shown-turns.ts'
import { subtreeOf } from './subtree-of.ts'
import { offerTools, readCallAnswer } from './tool-dialect.ts'
import { type TurnOutcome, takeTurnAction } from './turn-actions.ts'

export class EpisodeScope implements LearnScope {
  readonly tree: SearchTree
  readonly #episode: PlayedEpisode
  readonly #parts: EpisodeParts
  readonly #states: { key: string; stateResult: StateResult }[]
  readonly #shown: ShownTurns
  readonly #forks = new Set<Fork>()
  readonly #begun = new Map<string, { key: string; stateResult: StateResult }>()
  readonly #end = new AbortController()

  private constructor(episode: PlayedEpisode, parts: EpisodeParts, stateResult: StateResult) {
    this.#episode = episode
    this.#parts = parts
    this.#shown = new ShownTurns(episode)
    this.#states = [{ key: rootKey, stateResult }]
    const { environment, exampleTurns = null, fewShot, task, tools, method, answer, system } = episode
    const { success_threshold } = episode
    const entry: OpenEntry = wellFormed({
      open: {
        environment,
        task,
        method,
        answer,
        messages: layOutHead(system, exampleTurns, contentOf(toObservation(stateResult)), fewShot),
        ...(exampleTurns !== null && { layout: 'eto' }),
        ...(tools && { tools: tools.tools.map((tool) => ({ ...tool })) as TreeTool[] }),
        observation: toObservation(stateResult),
        state_hash: stateResult.state_hash,
        ...(stateResult.runtime !== undefined && { runtime: stateResult.runtime }),
        success_threshold,
      },
    })
    this.tree = new SearchTree(entry)
    parts.effects.write(entry)
  }

  static async open(episode: PlayedEpisode, parts: EpisodeParts): Promise<EpisodeScope> {
    const { task, training } = episode
    const stateResult = training.length > 0 ? noTask : await parts.states.open(task, rootKey)
    return new EpisodeScope(episode, parts, stateResult)
  }

  get prompts(): PromptBook {
    return this.#parts.prompts
  }

  get guide(): EnvironmentGuide {
    return this.#episode.guide
  }

  describe(task: string): { guide: EnvironmentGuide; objective: string } {
    return this.#episode.describe(task)
  }

  get rules(): string {
    return this.#episode.guide.rules
  }

  get objective(): string {
    return this.#episode.objective
  }

  get defaultMaxSteps(): number {
    return this.#episode.defaultMaxSteps
  }

  get notes(): readonly MemoryNote[] {
    return this.#episode.notes
  }

  get actions(): readonly LearnedAction[] {
    return this.#episode.actions
  }

  get training(): readonly string[] {
    return this.#episode.training
  }

  get sandbox(): Sandbox {
    const { effects, sandbox } = this.#parts
    if (sandbox === null) throw new Error('This method has no sandbox: it must say that it runs programs.')
    return orderedSandbox(sandbox, (perform) => effects.compute(perform))
  }

  get steps(): number {
    return [...this.#forks].reduce((sum, fork) => sum + fork.steps.length, this.tree.steps)
  }

  elapsed(): number {
    return this.#parts.effects.elapsed()
  }

  random(key: string): Random {
    return this.#parts.effects.random(key)
  }

  async propose(node: SearchNode, request: SetProposalRequest): Promise<MeasuredProposal[]> {
    const { key, n = 1, notes = '', settings, system } = request
    const { calls, prompts } = this.#parts
    const choice = calls.choice('policy')
    const { prefix, tools: dialect } = this.#episode
    const advice = [
      ...(prefix === undefined ? [] : [prompts.fill(prefixPrompts[prefix], {})]),
      ...(notes === '' ? [] : [prompts.fill(knowledgePrompts.advice, { advice: notes })]),
    ].join('\n\n')
    const { head, turns } = this.#shown.layOut(this.#pathOfTask(node), {
      system: system ?? this.#episode.system,
      advice,
      ...(choice.reasoning && { reasoning: choice.reasoning }),
    })
    const tools = dialect && offerTools(dialect.tools)
    const room = choice.max_prompt_tokens - estimateToolTokens(tools)
    const terms = { ...choice, max_prompt_tokens: room }
    const fitting = fitPrompt(head, turns, terms, this.#counter('policy'))
    const { messages, cutPairs, cutPictures } = fitting instanceof Promise ? await fitting : fitting
    const effect = `node/${node.index}/${key}`
    const cut = { cut_pairs: cutPairs, ...(cutPictures > 0 && { cut_pictures: cutPictures }) }
    const offered = { ...(tools && { tools }), ...(settings && { settings }) }
    const asked = { key: effect, role: 'policy' as const, messages, n, after: node, ...offered }
    const choices = await calls.choose({ ...asked, subtree: subtreeOf(this.tree, node, this.#episode) }, cut)
    return choices.map((answer, place) => this.#read(answer, n === 1 ? effect : `${effect}/choice/${place}`))
  }

  #read({ logprobs, ...answer }: AskedChoice, effect: string): MeasuredProposal {
    const { environment, guide, style, tools } = this.#episode
    const measured = logprobs && { logprobs }
    if (tools !== undefined) return { ...readCallAnswer(answer, tools, effect), ...measured }
    const { content, thinking } = answer
    return {
      ...parseAnswer(content, style, environment, guide.blocks),
      ...(!namesAction(content) && { unnamed: true as const }),
      ...(thinking && { thinking }),
      ...measured,
      effect,
    }
  }

  async step(node: SearchNode, proposal: Proposal, maxDepth = Number.POSITIVE_INFINITY): Promise<SearchNode> {
    const { action, complaint, effect } = proposal
    const from = this.#stateOf(node)
    if (isLaterCall(effect)) await this.#parts.effects.beforeStep()
    if (complaint !== undefined) {
      // It costs a step, but the environment is not asked.
      const answer = { ...from.stateResult, observation: complaint, valid: false }
      return this.#add(node, proposal, answer, { key: from.key, maxDepth })
    }
    const own = takeTurnAction(this.tree, node, action, this.#episode.turnActions ?? {})
    if (own !== null) return this.#addTurn(node, proposal, own, maxDepth)
    const stateResult = await this.#parts.states.step(from.key, action, effect)
    return this.#add(node, proposal, stateResult, { key: proposal.effect, maxDepth })
  }

  addUnparsable(node: SearchNode, { message, effect, thinking, prior = 0 }: Proposal): SearchNode {
    const state_of = (this.tree.statePath(node).at(-1) as SearchNode).index
    const outcome = { state_of, observation: unparsableAnswer, valid: false }
    const proposal = { message, effect, prior, action: '', ...(thinking && { thinking }) }
    return this.#addTurn(node, proposal, outcome, node.depth)
  }

  fork(node: SearchNode, key: string): Fork {
    const fork = new Fork(this.#parts, this.#stateOf(node), key)
    this.#forks.add(fork)
    return fork
  }

  land(node: SearchNode, proposal: Proposal, { fork, keep, observation, valid }: Landing): SearchNode {
    this.#forks.delete(fork)
    const before = this.#stateOf(node)
    const { key, stateResult } = keep ? { key: fork.at, stateResult: fork.stateResult } : before
    const answer = { ...stateResult, observation, valid }
    return this.#add(node, proposal, answer, { key, primitives: fork.steps })
  }

  backUp(node: SearchNode, value: number): void {
    this.#write({ backup: { node: node.index, value } })
  }

  commit(node: SearchNode): void {
    this.#write({ commit: { node: node.index } })
  }

  async conclude(node: SearchNode): Promise<void> {
    const closing = node.done ? undefined : this.#episode.closing
    if (closing === undefined) return
    const [{ key }, own] = [this.#stateOf(node), `node/${node.index}/close`]
    const { reward, done, progress } = await this.#parts.states.step(key, closing, own)
    if (!done) throw new Error(`The environment did not end by its closing action, ${closing}.`)
    this.#write({ end: { node: node.index, result: { reward, progress, terminal: true, done } } })
  }

  noteUnread(effect: string, answers: number): void {
    this.#write({ unread: { effect, answers } })
  }

  ask(question: Question): Promise<string[]> {
    return this.#parts.calls.ask(question)
  }

  choose(question: SetQuestion): Promise<AskedChoice[]> {
    return this.#parts.calls.choose(question)
  }

  validActions(node: SearchNode): Promise<readonly string[] | null> {
    return this.#parts.states.validActions(this.#stateOf(node).key)
  }

  perform(key: string, work: () => Promise<Json>): Promise<Json> {
    const perform = async () => ({ result: await work() })
    return this.#parts.effects.effect(`own/${key}`, { settings: { effect: key } }, perform)
  }

  keepPicture(sent: SentPicture): Promise<Picture> {
    const { effects, pictures } = this.#parts
    return effects.compute(() => pictures.put(sent))
  }

  score(key: string, messages: readonly Message[]): Promise<number> {
    return this.#parts.calls.score(key, messages)
  }

  async transcript(node: SearchNode, role: Asked): Promise<string> {
    // Half of the prompt's limit is left for the text around the transcript.
    const { calls } = this.#parts
    const most = calls.choice(role).max_prompt_tokens / 2
    return fitTranscript(this.#pathOfTask(node), most, this.#counter(role))
  }

  #counter(role: Role | 'policy'): TokenCounter {
    const { calls, effects } = this.#parts
    return countWithin(calls.counter(role), (perform) => effects.compute(perform))
  }

  pictures(node: SearchNode, role: Asked): Pick<Message, 'pictures'> {
    const { max_pictures = usualPictures } = this.#parts.calls.choice(role)
    const seen = this.#pathOfTask(node).flatMap((at) => contentOf(at.observation).pictures ?? [])
    const pictures = max_pictures === 0 ? [] : seen.slice(-max_pictures)
    return pictures.length === 0 ? {} : { pictures }
  }

  compute<Result>(perform: () => Promise<Result>): Promise<Result> {
    return this.#parts.effects.compute(perform)
  }

  get ended(): AbortSignal {
    return this.#end.signal
  }

  end(): void {
    this.#end.abort()
  }

  recall(recollection: Recollection): Promise<MemoryNote[]> {
    return this.#parts.memory.recall(recollection)
  }

  async remember(note: NewNote, key: string): Promise<void> {
    this.#write({ note: await this.#parts.memory.complete(note, key) })
  }

  learn(action: Omit<LearnedAction, 'group'>): void {
    this.#write({ learned: { ...action, group: this.#parts.memory.group } })
  }

  async begin(task: string, label: string): Promise<SearchNode> {
    let start = this.#begun.get(task)
    if (!start) {
      const key = `${rootKey}/${this.#begun.size}`
      start = { key, stateResult: await this.#parts.states.open(task, key) }
      this.#begun.set(task, start)
    }
    const proposal = { action: label, message: label, effect: start.key }
    return this.#add(this.tree.root, proposal, start.stateResult, { key: start.key, primitives: [] })
  }

  #addTurn(
    parent: SearchNode,
    proposal: Proposal,
    { state_of, observation, valid }: TurnOutcome,
    maxDepth: number,
  ): SearchNode {
    const { key, stateResult } = this.#stateOf(this.tree.node(state_of))
    const answer = { ...stateResult, observation, valid }
    return this.#add(parent, proposal, answer, { key, maxDepth, primitives: [], state_of })
  }

  #add(
    parent: SearchNode,
    { action, message, thinking, effect, prior = 1 }: Proposal,
    stateResult: StateResult,
    place: { key: string; maxDepth?: number; primitives?: PrimitiveStep[]; state_of?: number },
  ): SearchNode {
    const { key, maxDepth = Number.POSITIVE_INFINITY, primitives, state_of } = place
    const { reward, done, valid, progress, state_hash } = stateResult
    const entry: NodeEntry = {
      node: {
        parent: parent.index,
        action,
        message,
        ...(thinking && { thinking }),
        observation: toObservation(stateResult),
        reward: Math.max(reward, 0),
        terminal: done || reward < 0 || parent.depth >= maxDepth,
        done: done || reward < 0,
        disaster: reward < 0,
        ...{ valid, progress, prior, state_hash, effect },
        ...(primitives && { primitives }),
        ...(stateResult.trace !== undefined && { trace: stateResult.trace }),
        ...(state_of !== undefined && { state_of }),
      },
    }
    this.#write(entry)
    const index = this.tree.nodes.length - 1
    this.#states[index] = { key, stateResult }
    return this.tree.node(index)
  }

  #write(entry: Exclude<TreeEntry, OpenEntry>): void {
    const stored = wellFormed(entry)
    this.#parts.effects.write(stored)
    this.tree.apply(stored)
  }

  #stateOf(node: SearchNode): { key: string; stateResult: StateResult } {
    const state = this.#states[node.index]
    if (!state) throw new RangeError(`Node ${node.index} has no state.`)
    return state
  }

  #pathOfTask(node: SearchNode): SearchNode[] {
    const path = this.tree.path(node)
    return this.training.length > 0 && path.length > 1 ? path.slice(1) : path
  }
}

const rootKey = 'session'

function toObservation({ observation, pictures = [] }: StateResult): Observation {
  return [{ type: 'text', text: observation }, ...pictures]
}
