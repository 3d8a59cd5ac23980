import type { Json, JsonObject } from '../contracts/json.ts'
import type { Message, Observation } from '../contracts/message.ts'
import type { Meter } from '../contracts/meter.ts'
import type { ModelChoice } from '../contracts/model-choice.ts'
import { digest } from '../engine/digest.ts'
import type { EffectScope } from '../engine/effect-scope.ts'
import type { PureEnvironment } from '../environments/environment.ts'
import type { ChatModel } from '../models/chat-model.ts'
import { type SearchNode, SearchTree } from '../search/search-tree.ts'
import type { BackupEntry, NodeEntry, OpenEntry } from '../search/tree-entry.ts'
import type { Method } from './method.ts'
import type { MethodScope, Proposal } from './method-scope.ts'
import { parseAnswer } from './parse-answer.ts'
import { fitPrompt } from './prompts/fit-prompt.ts'
import type { Prompt } from './prompts/prompt.ts'
import { renderPrompt } from './prompts/render-prompt.ts'

export interface EpisodeScopeOptions {
  effects: EffectScope
  environment: PureEnvironment
  task: string
  /** The run's seed, for the environment. */
  seed: number
  method: Pick<Method, 'id' | 'answer'>
  prompt: Prompt
  model: ChatModel
  choice: ModelChoice
  meter: Meter
}

type Answer = { content: string; finish_reason: string }

/**
 * One episode in the making: keeps the environment's state at every node, asks the policy through effects, and writes
 * what it learns to the journal as entries of the tree.
 */
export class EpisodeScope implements MethodScope {
  readonly tree: SearchTree
  readonly #options: EpisodeScopeOptions
  readonly #head: Message[]
  readonly #states: JsonObject[]
  /** By node: the action and the observation, as they stand in prompts. */
  readonly #turns: [Message, Message][] = []

  constructor(options: EpisodeScopeOptions) {
    const { effects, environment, method, prompt, seed, task } = options
    const { state, observation } = environment.reset(task, seed)
    const entry: OpenEntry = {
      open: {
        environment: environment.id,
        task,
        method: method.id,
        answer: method.answer,
        messages: renderPrompt(prompt, observation),
        observation: toObservation(observation),
        state_hash: hashState(state),
      },
    }
    this.#options = options
    this.#head = entry.open.messages
    this.#states = [state]
    this.tree = new SearchTree(entry)
    effects.write(entry)
  }

  get defaultMaxSteps(): number {
    return this.#options.environment.default_max_steps
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
    const { effects, environment } = this.#options
    const { action, effect, message } = proposal
    const { state, observation, reward, done } = environment.step(
      this.#states[node.index] as JsonObject,
      action,
    )
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
        prior: 1,
        state_hash: hashState(state),
        effect,
      },
    }
    effects.write(entry)
    this.tree.apply(entry)
    const index = this.tree.nodes.length - 1
    this.#states[index] = state
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

function hashState(state: JsonObject): string {
  return digest(JSON.stringify(state))
}
