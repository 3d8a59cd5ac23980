import type { JsonObject } from '../../../core/contracts/json.ts'
import type { TokenRecord } from '../../../core/contracts/token-record.ts'
import type { ChatChoice } from '../chat-model.ts'
import type { ChoiceTokens } from './read-tokens.ts'

export interface RecordedCall {
  call: string
  model: string
  sampler: JsonObject
  /** The ids that were sent in place of a text; null: the server tokenized the prompt. */
  sent: readonly number[] | null
  vocabulary: number | null
}

type Unsourced = Omit<ChoiceTokens, 'source'>

const noTokens: Unsourced = { ids: null, logprobs: null, prompt_ids: null, version: null, warnings: [] }

/**
 * The record of one call; null if its endpoint gives no tokens. Ids beyond the vocabulary and prompts that differ
 * between choices count as unknown.
 */
export function recordTokens(
  { call, model, sampler, sent, vocabulary }: RecordedCall,
  choices: readonly Pick<ChatChoice, 'content' | 'tokens' | 'tool_calls'>[],
): TokenRecord | null {
  const first = choices.find(({ tokens }) => tokens)?.tokens
  if (first === undefined) return null
  const warnings: string[] = []
  const known = (ids: readonly number[] | null, subject: string): number[] | null => {
    const beyond = vocabulary === null ? undefined : ids?.find((id) => id >= vocabulary)
    if (beyond === undefined) return ids === null ? null : [...ids]
    warnings.push(
      `Id ${beyond} of ${subject} is beyond the vocabulary of ${vocabulary} tokens, so its ids count as unknown.`,
    )
    return null
  }
  const answers = choices.map(({ content, tool_calls, tokens = noTokens }: TokensOf, place) => {
    const { ids, logprobs, texts, warnings: faults } = tokens
    const subject = choices.length === 1 ? 'the answer' : `answer ${place + 1}`
    warnings.push(...faults)
    if (ids === null && logprobs === null && (content !== '' || tool_calls !== undefined))
      warnings.push(`The endpoint says neither ids nor log-probabilities of ${subject}.`)
    return { ids: known(ids, subject), ...(texts && { texts }), logprobs }
  })
  const prompts = choices.map(({ tokens = noTokens }: TokensOf) => tokens.prompt_ids)
  const [prompt = null] = prompts
  const isOne = prompts.every((other) => isSame(prompt, other))
  if (!isOne) warnings.push('The prompts of the answers differ, so their ids count as unknown.')
  if (sent !== null && prompt !== null && !isSame(sent, prompt))
    warnings.push('The endpoint says another prompt than the ids that were sent. The record has its own.')
  return {
    call,
    model,
    version: first.version,
    source: first.source,
    prompting: sent === null ? 'chat' : 'tokens',
    sampler,
    prompt_ids: isOne ? known(prompt, 'the prompt') : null,
    answers,
    warnings: [...new Set(warnings)],
  }
}

type TokensOf = Pick<ChatChoice, 'content' | 'tool_calls'> & { tokens?: Unsourced }

function isSame(left: readonly number[] | null, right: readonly number[] | null): boolean {
  if (left === null || right === null) return left === right
  return left.length === right.length && left.every((id, place) => id === right[place])
}
