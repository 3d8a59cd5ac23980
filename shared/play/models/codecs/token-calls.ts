import type { JsonObject } from '../../../core/contracts/json.ts'
import { addOptions } from '../../../core/contracts/request-options.ts'
import type { TokenSource } from '../../../core/contracts/token-record.ts'
import type { ChatWireRequest, WireCall } from '../codec.ts'
import type { TokenServer } from '../tokens/token-source.ts'

export function tokenFields(source: TokenSource): object {
  switch (source) {
    case 'vllm':
      // Before 0.10.2, vLLM knows the second alone: it writes `token_id:7` in place of texts.
      return { logprobs: true, return_token_ids: true, return_tokens_as_token_ids: true }
    case 'sglang':
      return { logprobs: true, return_prompt_token_ids: true, return_meta_info: true }
    case 'llama-cpp':
      return { logprobs: true, top_logprobs: 1, return_tokens: true, verbose: true }
    case 'logprobs':
      return { logprobs: true }
  }
}

type Sampling = Pick<Partial<ChatWireRequest>, 'temperature' | 'top_p'>

/** A request on a route that takes token ids as its prompt. `logprobs` names no server, so none is known. */
export function writeTokenCall(
  source: TokenServer,
  { model, prompt_ids, max_tokens, seed, n, stop }: ChatWireRequest,
  sampling: Sampling,
  options: JsonObject,
): WireCall {
  const stops = stop === undefined ? {} : { stop: [...stop] }
  switch (source) {
    case 'vllm': {
      const settings = { ...sampling, max_tokens, seed, n, ...stops }
      const body = { model, prompt: prompt_ids, ...settings, logprobs: 1, return_token_ids: true }
      const asked = { ...body, return_tokens_as_token_ids: true }
      return { path: '/completions', model, body: addOptions(asked, options) }
    }
    case 'sglang': {
      const settings = { ...sampling, max_new_tokens: max_tokens, n, ...stops, sampling_seed: seed }
      const sampler = addOptions(settings, options)
      const body = { input_ids: prompt_ids, sampling_params: sampler, return_logprob: true }
      return { path: '/generate', isBesideV1: true, model, body }
    }
    case 'llama-cpp': {
      const settings = { ...sampling, n_predict: max_tokens, seed, ...stops }
      const body = { prompt: prompt_ids, ...settings, n_probs: 1, return_tokens: true, cache_prompt: true }
      return { path: '/completion', isBesideV1: true, model, body: addOptions(body, options) }
    }
  }
}

/** The answer of {@link writeTokenCall} in the form of a chat completion; other bodies stay as they are. */
export function toChatBody(
  source: TokenServer,
  body: unknown,
  { model, prompt_ids }: Pick<ChatWireRequest, 'model' | 'prompt_ids'>,
): unknown {
  const answers = (Array.isArray(body) ? body : [body]).filter(isObject)
  const [first] = answers
  if (first === undefined) return body
  switch (source) {
    case 'vllm': {
      if (!Array.isArray(first.choices)) return body
      const choices = first.choices.filter(isObject).map(({ text, ...choice }) => ({
        prompt_token_ids: prompt_ids,
        ...choice,
        message: { content: text },
      }))
      return { ...first, choices }
    }
    case 'sglang': {
      const metas = answers.map(({ meta_info }) => (isObject(meta_info) ? meta_info : {}))
      const choices = answers.map(({ text, output_ids }, place) => ({
        message: { content: text },
        finish_reason: reasonOf(metas[place]?.finish_reason),
        output_ids,
        meta_info: metas[place],
        prompt_token_ids: prompt_ids,
      }))
      const { prompt_tokens, cached_tokens } = metas[0] ?? {}
      const completion_tokens = sumOf(metas.map((meta) => meta.completion_tokens))
      return { model, choices, usage: { prompt_tokens, cached_tokens, completion_tokens } }
    }
    case 'llama-cpp': {
      const { content, tokens, stop_type, tokens_evaluated, tokens_predicted, timings } = first
      if (typeof content !== 'string') return body
      const choice = {
        message: { content },
        finish_reason: stop_type === 'limit' ? 'length' : 'stop',
        token_ids: tokens,
        prompt_token_ids: prompt_ids,
        logprobs: { content: first.completion_probabilities },
      }
      const cached_tokens = isObject(timings) ? timings.cache_n : undefined
      const usage = { prompt_tokens: tokens_evaluated, completion_tokens: tokens_predicted, cached_tokens }
      return { model: first.model ?? model, choices: [choice], usage }
    }
  }
}

export function renderedPrompt(body: unknown): string | null {
  const verbose = isObject(body) ? body.__verbose : null
  return isObject(verbose) && typeof verbose.prompt === 'string' ? verbose.prompt : null
}

export function tokenizeCall(model: string, prompt: string): WireCall {
  const body = { content: prompt, add_special: true, parse_special: true }
  return { path: '/tokenize', isBesideV1: true, model, body }
}

export function readTokenized(body: unknown): number[] | null {
  const tokens = isObject(body) ? body.tokens : null
  return Array.isArray(tokens) && tokens.every((id) => Number.isSafeInteger(id) && id >= 0) ? tokens : null
}

function reasonOf(reason: unknown): unknown {
  return isObject(reason) ? reason.type : reason
}

function sumOf(counts: readonly unknown[]): number | undefined {
  return counts.every((count) => typeof count === 'number')
    ? counts.reduce((sum: number, count) => sum + (count as number), 0)
    : undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
