import { answerLimitOf } from '../../core/contracts/answer-warnings.ts'
import type { Json, JsonObject } from '../../core/contracts/json.ts'
import type { Message } from '../../core/contracts/message.ts'
import type { Meter } from '../../core/contracts/meter.ts'
import {
  type CompleteModelChoice,
  estimatedTokens,
  type ModelChoice,
  type Role,
  roleSchema,
  simulatedAnswerTokens,
  usualPromptTokens,
} from '../../core/contracts/model-choice.ts'
import type { RunRequest } from '../../core/contracts/run.ts'
import type { TokenRecord } from '../../core/contracts/token-record.ts'
import type { Usage } from '../../core/contracts/usage.ts'
import { wellFormed, wellFormedItems } from '../../core/contracts/well-formed.ts'
import type { AnswerListener } from '../../core/engine/answers/first-answers.ts'
import { digest } from '../../core/engine/digest.ts'
import type { EffectScope } from '../../core/engine/effect-scope.ts'
import type { CallSettings, TokenLogprob } from '../models/call-settings.ts'
import type { ChatChoice, ChatModel, OfferedTool, SilentChoices } from '../models/chat-model.ts'
import type { EmbeddingModel } from '../models/embedding-model.ts'
import { heldMeter } from '../models/held-meter.ts'
import { estimatingCounter, type TokenCounter } from '../models/token-counter.ts'
import { recordTokens } from '../models/tokens/record-tokens.ts'
import { tokenLogprobs } from '../models/tokens/token-logprobs.ts'
import type { ValueModel } from '../models/value-model.ts'
import { faultOf } from '../search/answer-faults.ts'
import type { Question } from '../search/search-scope.ts'
import type { SearchNode } from '../search/tree.ts'
import { choicesOf } from './pooled-choices.ts'
import { TokenPrompts } from './token-prompts.ts'

export interface ModelsByEndpoint {
  model(endpoint: string): ChatModel
  embedding(endpoint: string): EmbeddingModel
  scorer(endpoint: string): ValueModel
}

export interface ModelCallsOptions {
  effects: EffectScope
  models: ModelsByEndpoint
  request: Pick<RunRequest, 'model' | 'roles' | 'record'>
  meter(choice: ModelChoice): Meter
  /** By tokenizer name in the run; others are estimated. @default none */
  counters?: ReadonlyMap<string, TokenCounter>
  onAnswers?: AnswerListener
  /** Names the episode among all. Its calls go to one server of a pool. */
  affinity?: string
}

export type SetQuestion = Question & { settings?: CallSettings; tools?: readonly OfferedTool[] }

export type AskedChoice = Omit<ChatChoice, 'tokens'> & { logprobs?: TokenLogprob[] }

type Answers = { choices: AskedChoice[] }

/**
 * The model of a role: the run's settings for it, then the policy's. `reasoning_effort`, options and tokenizers
 * differ between models, so a role that names another model has its own or none. Only the policy has stop sequences.
 */
export function choiceOf(
  { model, roles }: Pick<RunRequest, 'model' | 'roles'>,
  role: Role | 'policy',
): CompleteModelChoice {
  const { stop, reasoning, prompting, ...rest } = model
  const own =
    role === 'policy'
      ? { ...(stop && { stop }), ...(reasoning && { reasoning }), ...(prompting && { prompting }) }
      : roles[role]
  const { reasoning_effort: _, tokenizer: __, request: ___, ...inherited } = rest
  const isOther = own?.id !== undefined || own?.endpoint !== undefined
  return {
    max_tokens: simulatedAnswerTokens,
    max_prompt_tokens: usualPromptTokens,
    ...(isOther ? inherited : rest),
    ...own,
  } as CompleteModelChoice
}

export function namedChoices(
  request: Pick<RunRequest, 'model' | 'roles'>,
): [param: string, CompleteModelChoice][] {
  const roles = roleSchema.options.filter((role) => request.roles[role] !== undefined)
  const named: [string, CompleteModelChoice][] = [
    ['model', choiceOf(request, 'policy')],
    ...roles.map((role): [string, CompleteModelChoice] => [`roles.${role}`, choiceOf(request, role)]),
  ]
  return named.flatMap(([param, choice]) =>
    choicesOf(choice, param).map((each) => [param, each] as [string, CompleteModelChoice]),
  )
}

export function tokenizersOf(request: Pick<RunRequest, 'model' | 'roles'>): Set<string> {
  const named = new Set(namedChoices(request).flatMap(([, { tokenizer }]) => tokenizer ?? []))
  named.delete(estimatedTokens)
  return named
}

/**
 * Asks the models of one episode. Every call is an effect, counted in the run's money, with its request in the
 * journal.
 */
export class ModelCalls {
  readonly #options: ModelCallsOptions
  readonly #meters = new Map<string, Meter>()

  readonly #prompts: TokenPrompts

  constructor(options: ModelCallsOptions) {
    this.#options = options
    this.#prompts = new TokenPrompts(options.effects)
  }

  choice(role: Role | 'policy'): CompleteModelChoice {
    return choiceOf(this.#options.request, role)
  }

  counter(role: Role | 'policy'): TokenCounter {
    const { tokenizer } = this.choice(role)
    return (tokenizer === undefined ? null : this.#options.counters?.get(tokenizer)) ?? estimatingCounter
  }

  async ask(question: Question, recorded: { [setting: string]: Json } = {}): Promise<string[]> {
    const choices = await this.choose(question, recorded)
    return choices.map(({ content }) => content)
  }

  /**
   * As {@link ask}, with the calls and thoughts of each answer.
   *
   * @param question.subtree - of a search, whose calls go to one server of a pool; by default the episode
   */
  async choose(
    {
      key,
      role,
      messages: written,
      n = 1,
      answerTokens = 0,
      settings: own = {},
      subtree = '',
      tools,
      after,
    }: SetQuestion & { subtree?: string; after?: Pick<SearchNode, 'effect'> },
    recorded: { [setting: string]: Json } = {},
  ): Promise<AskedChoice[]> {
    const messages = wellFormedItems(written)
    const { effects, models, request: run } = this.#options
    const record = run.record === 'tokens'
    const { logprobs = false, ...instead } = own
    const choice = { ...this.choice(role), ...instead }
    const { endpoint, id, temperature, top_p, reasoning_effort, request: options, stop } = choice
    const effort = {
      ...(reasoning_effort !== undefined && { reasoning_effort }),
      ...(options && { request: options }),
    }
    const max_tokens = Math.max(choice.max_tokens, answerTokens)
    const seed = this.#seed(key)
    const settings: Json = {
      role,
      endpoint,
      id,
      temperature,
      top_p,
      max_tokens,
      ...effort,
      seed,
      ...(n > 1 && { n }),
      ...(stop && { stop }),
      ...(tools && { tools: digest(JSON.stringify(tools)) }),
      ...(choice.prompting === 'tokens' && { prompting: 'tokens' }),
      ...(logprobs && { logprobs }),
      ...recorded,
    }
    const ids = choice.prompting === 'tokens' ? this.#prompts.next(key, messages, after) : null
    const { choices } = await effects.effect<Answers>(key, { messages, settings }, async (signal) => {
      const stops = stop === undefined ? {} : { stop }
      const counter = this.counter(role)
      const prompt_ids = ids && (await ids(counter))
      const counted = prompt_ids
        ? { prompt_ids, prompt_tokens: prompt_ids.length }
        : counter.model === null
          ? {}
          : { prompt_tokens: await counter.ofPrompt(messages, id) }
      const sampling = { temperature, top_p, max_tokens, ...effort, seed, n, ...stops }
      const recorded = record || logprobs ? { record: true } : {}
      const request = { model: id, messages, ...counted, ...sampling, ...(tools && { tools }), ...recorded }
      const { meter, held } = heldMeter(this.#meter(choice))
      const { choices, silent, ...usage } = await models
        .model(endpoint)
        .complete(request, { meter, signal, ...this.#affinity(subtree) })
      this.#noteAnswers(role, choices, { max_tokens, silent })
      const bare = choices.map(({ tokens, ...answer }) => {
        const read = logprobs ? tokenLogprobs(tokens) : undefined
        return { ...answer, ...(read && { logprobs: read }) }
      })
      const kept = record
        ? await this.#record(key, {
            choice,
            sampler: sampling,
            counter,
            choices,
            sent: prompt_ids,
          })
        : null
      return { result: { choices: bare }, usage, held: held(), ...(kept && { tokens: kept }) }
    })
    return choices
  }

  async #record(
    call: string,
    made: {
      choice: ModelChoice
      sampler: JsonObject
      counter: TokenCounter
      choices: readonly ChatChoice[]
      sent: readonly number[] | null
    },
  ): Promise<TokenRecord | null> {
    const { choice, sampler, counter, choices, sent } = made
    const { endpoint, id } = choice
    // The answer is paid for: a tokenizer that fails must not lose it.
    const vocabulary = await Promise.resolve(counter.vocabulary?.() ?? null).catch(() => null)
    const place = { call, model: `${endpoint}/${id}`, sampler, sent, vocabulary }
    const record = recordTokens(place, choices)
    const [fault] = record?.warnings ?? []
    if (fault !== undefined) {
      const message = `The endpoint "${endpoint}" gave tokens of "${call}" that cannot be recorded whole. ${fault}`
      this.#meter(choice).warned?.({ code: 'faulty_tokens', endpoint, model: id, message })
    }
    return record
  }

  #noteAnswers(
    role: Role | 'policy',
    choices: readonly ChatChoice[],
    { max_tokens, silent }: { max_tokens: number; silent: SilentChoices | undefined },
  ): void {
    const { onAnswers, request } = this.#options
    const faults = choices.map(faultOf)
    onAnswers?.({
      asked: role,
      answers: choices.length,
      cut: faults.filter((fault) => fault === 'cut').length,
      empty: faults.filter((fault) => fault === 'empty').length,
      reasoned: silent?.reasoned ?? 0,
      called: silent?.called ?? 0,
      max_tokens,
      param: answerLimitOf(role, request).param,
    })
  }

  async score(key: string, written: readonly Message[]): Promise<number> {
    const messages = wellFormed(written)
    const { effects, models } = this.#options
    const choice = this.choice('value')
    const { endpoint, id } = choice
    const settings = { role: 'value', endpoint, id }
    return effects.effect<number>(key, { messages, settings }, async (signal) => {
      const request = { model: id, messages }
      const { meter, held } = heldMeter(this.#meter(choice))
      const { value, ...used } = await models
        .scorer(endpoint)
        .score(request, { meter, signal, ...this.#affinity() })
      return { result: value, usage: { ...used, output_tokens: 0 }, held: held() }
    })
  }

  get embeds(): boolean {
    return this.#options.request.roles.embedding !== undefined
  }

  async embed(text: string, signal: AbortSignal): Promise<{ model: string; vector: number[]; usage: Usage }> {
    const choice = this.choice('embedding')
    const request = { model: choice.id, texts: [text.toWellFormed()] }
    const { vectors, ...used } = await this.#options.models
      .embedding(choice.endpoint)
      .embed(request, { meter: this.#meter(choice), signal })
    return { model: choice.id, vector: vectors[0] ?? [], usage: { ...used, output_tokens: 0 } }
  }

  #affinity(subtree = ''): { affinity?: string } {
    const { affinity } = this.#options
    return affinity === undefined ? {} : { affinity: `${affinity}${subtree}` }
  }

  #seed(key: string): number {
    return Math.floor(this.#options.effects.random(key)() * 2 ** 31)
  }

  #meter(choice: ModelChoice): Meter {
    const name = `${choice.endpoint} ${choice.id}`
    let meter = this.#meters.get(name)
    if (!meter) {
      meter = this.#options.meter(choice)
      this.#meters.set(name, meter)
    }
    return meter
  }
}
