import type { Json } from '../contracts/json.ts'
import type { Message, Observation } from '../contracts/message.ts'
import type { Meter } from '../contracts/meter.ts'
import type { ModelChoice } from '../contracts/model-choice.ts'
import type { EffectScope } from '../engine/effect-scope.ts'
import type { EnvironmentFacts } from '../environments/environment.ts'
import type { ChatModel } from '../models/chat-model.ts'
import { type SearchNode, SearchTree } from '../search/search-tree.ts'
import type { BackupEntry, NodeEntry, OpenEntry } from '../search/tree-entry.ts'
import type { Method } from './method.ts'
import type { MethodScope, Proposal } from './method-scope.ts'
import type { NodeStates } from './node-states.ts'
import { parseAnswer } from './parse-answer.ts'
import { fitPrompt } from './prompts/fit-prompt.ts'
import type { Prompt } from './prompts/prompt.ts'
import { renderPrompt } from './prompts/render-prompt.ts'

export interface EpisodeScopeOptions {
  effects: EffectScope
  environment: Pick<EnvironmentFacts, 'id' | 'success_threshold'>
  task: string
  states: NodeStates
  /** How long a trajectory may get unless a parameter says otherwise. */
  defaultMaxSteps: number
  method: Pick<Method, 'id' | 'answer'>
  prompt: Prompt
  model: ChatModel
  choice: ModelChoice
  meter: Meter
}

type Answer = { content: string; finish_reason: string }

/**
 * One episode in the making: takes steps from any node, asks the policy through effects, and writes what it learns to the
 * journal as entries of the tree.
 */
export class EpisodeScope implements MethodScope {
  readonly tree: SearchTree
  readonly #options: EpisodeScopeOptions
  readonly #head: Message[]
  /** By node: the action and the observation, as they stand in prompts. */
  readonly #turns: [Message, Message][] = []

  private constructor(options: EpisodeScopeOptions, entry: OpenEntry) {
    this.#options = options
    this.#head = entry.open.messages
    this.tree = new SearchTree(entry)
    options.effects.write(entry)
  }

  static async open(options: EpisodeScopeOptions): Promise<EpisodeScope> {
    const { environment, method, prompt, states, task } = options
    const { observation, state_hash } = await states.open()
    return new EpisodeScope(options, {
      open: {
        environment: environment.id,
        task,
        method: method.id,
        answer: method.answer,
        messages: renderPrompt(prompt, observation),
        observation: toObservation(observation),
        state_hash,
        success_threshold: environment.success_threshold,
      },
    })
  }

  get defaultMaxSteps(): number {
    return this.#options.defaultMaxSteps
  }

  async propose(node: SearchNode, sample: number): Promise<Proposal> {
    const { choice, effects, meter, model } = this.#options
    const turns = this.tree.path(node).flatMap((at) => this.#turns[at.index] ?? [])
    const { messages, cutPairs } = fitPrompt(this.#head, turns, choice.max_prompt_tokens)
    const { endpoint, id, max_tokens, temperature, top_p } = choice
    const effect = `node/${node.index}/sample/${sample}`
    const seed = Math.floor(effects.random(effect)() * 2 ** 31)
    const settings: Json = {
      role: 'policy',
      endpoint,
      id,
      temperature,
      top_p,
      max_tokens,
      seed,
      cut_pairs: cutPairs,
    }
    const { content } = await effects.effect<Answer>(effect, { messages, settings }, async (signal) => {
      const request = { model: id, messages, temperature, top_p, max_tokens, seed }
      const { content, finish_reason, ...spent } = await model.complete(request, { meter, signal })
      return { result: { content, finish_reason }, usage: { model_calls: 1, ...spent } }
    })
    return { ...parseAnswer(content), effect }
  }

  async step(node: SearchNode, proposal: Proposal, maxDepth = Number.POSITIVE_INFINITY): Promise<SearchNode> {
    const { effects, states } = this.#options
    const { action, effect, message } = proposal
    const answer = await states.step(node.index, action, effect)
    const { observation, reward, done, valid, progress, state_hash } = answer
    const entry: NodeEntry = {
      node: {
        parent: node.index,
        action,
        message,
        observation: toObservation(observation),
        reward: Math.max(reward, 0),
        terminal: done || reward < 0 || node.depth >= maxDepth,
        done: done || reward < 0,
        disaster: reward < 0,
        valid,
        progress,
        prior: 1,
        state_hash,
        effect,
      },
    }
    effects.write(entry)
    this.tree.apply(entry)
    const index = this.tree.nodes.length - 1
    states.settle(index, node.index, effect)
    this.#turns[index] = [
      { role: 'assistant', content: message },
      { role: 'user', content: observation },
    ]
    return this.tree.node(index)
  }

  backUp(node: SearchNode, value: number): void {
    const entry: BackupEntry = { backup: { node: node.index, value } }
    this.#options.effects.write(entry)
    this.tree.apply(entry)
  }
}

function toObservation(text: string): Observation {
  return [{ type: 'text', text }]
}
