/**
 * Tokens read from a cache are never more than the input, and written ones never more than the input that no cache
 * held. Reasoning is never more than the output, and the total is at least the sum of input and output.
 */
export interface CountedTokens {
  input_tokens: number | null
  output_tokens: number | null
  cached_tokens: number
  written_tokens?: number
  reasoning_tokens: number
  total_tokens: number | null
}

/** More than any model takes or returns in one choice: a larger number is a fault of the endpoint, not a count. */
const mostTokens = { input: 20_000_000, output: 5_000_000 }

/**
 * The objects of an answer that hold its counts. Moonshot streams them in a choice. The last, `''`, is the answer
 * itself, as in Ollama.
 */
const places = [
  'usage',
  'usageMetadata',
  'usage_metadata',
  'meta_info',
  'x_groq.usage',
  'choices.0.usage',
  '',
].map(toPath)

/**
 * Names of each count, by provider. A number under any of them is proof, so the largest counts. Sources: OpenAI
 * (chat, Responses), DeepSeek, Moonshot, Anthropic, Bedrock Converse, Gemini, Vertex, Mistral, Fireworks, TGI,
 * SGLang, Ollama.
 */
const names = {
  input: ['prompt_tokens', 'num_prompt_tokens', 'promptTokens', 'promptTokenCount', 'prompt_token_count'],
  freshInput: ['input_tokens', 'inputTokens', 'prompt_eval_count'],
  output: [
    'completion_tokens',
    'output_tokens',
    'outputTokens',
    'completionTokens',
    'num_completion_tokens',
    'num_generated_tokens',
    'generated_tokens',
    'candidatesTokenCount',
    'candidates_token_count',
    'eval_count',
  ],
  total: ['total_tokens', 'totalTokens', 'num_total_tokens', 'totalTokenCount', 'total_token_count'],
  reasoning: [
    'completion_tokens_details.reasoning_tokens',
    'output_tokens_details.reasoning_tokens',
    'completion_tokens_details.thinking_tokens',
    'output_tokens_details.thinking_tokens',
    'completionTokensDetails.reasoningTokens',
    'outputTokensDetails.reasoningTokens',
    'reasoning_tokens',
    'reasoningTokens',
    'thinking_tokens',
    'thoughtsTokenCount',
    'thoughts_token_count',
  ],
  cached: [
    'prompt_tokens_details.cached_tokens',
    'input_tokens_details.cached_tokens',
    'prompt_tokens_details.cache_read_tokens',
    'promptTokensDetails.cachedTokens',
    'inputTokensDetails.cachedTokens',
    'cached_tokens',
    'cachedTokens',
    'cached_prompt_tokens',
    'cache_read_tokens',
    'num_cached_tokens',
    'prompt_cache_hit_tokens',
    'cachedContentTokenCount',
    'cached_content_token_count',
  ],
  /** Cache reads that Anthropic and Bedrock count beside the input. */
  cacheRead: ['cache_read_input_tokens', 'cacheReadInputTokens', 'cacheReadInputTokenCount'],
  cacheWritten: ['cache_creation_input_tokens', 'cacheWriteInputTokens', 'cacheWriteInputTokenCount'],
  /** Writes that OpenAI and OpenRouter count within the input. */
  cacheWrittenWithin: [
    'prompt_tokens_details.cache_write_tokens',
    'input_tokens_details.cache_write_tokens',
    'prompt_tokens_details.cache_creation_tokens',
  ],
  cacheMissed: ['prompt_cache_miss_tokens'],
} as const

/** The names above by the first field of their paths: an answer has few fields, and there are many names. */
const namesByField = Map.groupBy(
  Object.values(names)
    .flat()
    .map((name) => ({ name, path: toPath(name) })),
  ({ path }) => path[0] ?? '',
)

/** Counts of OpenAI's own names: any value but a whole number invalidates the answer. */
const strict = new Set<string>(['prompt_tokens', 'completion_tokens'])

/**
 * Reads the tokens of an answer under every provider's names, and checks each number against the others: no count is
 * below a number that another field proves.
 *
 * @param choices - number of choices in the answer, for the bound of its output
 * @returns null if the numbers are impossible
 */
export function readTokenCounts(body: unknown, choices = 1): CountedTokens | null {
  const sources = places.map((path) => find(body, path)).filter(isObject)
  const figures = new Map<string, number>()
  for (const source of sources) {
    for (const field of Object.keys(source)) {
      for (const { name, path } of namesByField.get(field) ?? []) {
        const count = toCount(find(source, path), strict.has(name))
        if (count === 'impossible') return null
        if (count !== null) figures.set(name, Math.max(count, figures.get(name) ?? 0))
      }
    }
  }
  const counted = combine(figures)
  const { input_tokens, output_tokens, total_tokens } = counted
  const isTooMuch =
    (input_tokens ?? 0) > mostTokens.input ||
    (output_tokens ?? 0) > mostTokens.output * choices ||
    (total_tokens ?? 0) > mostTokens.input + mostTokens.output * choices
  return isTooMuch ? null : counted
}

/**
 * Estimates missing counts, and keeps their sum at the endpoint's total if it states one. A count of 0 counts as
 * missing: each prompt has tokens, and so has each text.
 */
export function completeUsage(
  { input_tokens, output_tokens, total_tokens, ...details }: CountedTokens,
  estimates: { input: () => number; output: () => number },
) {
  const most = total_tokens || Number.POSITIVE_INFINITY
  const input = input_tokens || Math.min(estimates.input(), most - (output_tokens ?? 0))
  const output = output_tokens || Math.max(estimates.output(), (total_tokens ?? 0) - input)
  return { ...details, input_tokens: input, output_tokens: output }
}

export function readInputTokens(body: unknown): number | null {
  const counted = readTokenCounts(body)
  if (counted === null) return null
  return counted.total_tokens ?? counted.input_tokens
}

function combine(figures: ReadonlyMap<string, number>): CountedTokens {
  const read = (count: keyof typeof names): number | null => {
    let most: number | null = null
    for (const name of names[count]) {
      const value = figures.get(name)
      if (value !== undefined) most = Math.max(most ?? 0, value)
    }
    return most
  }
  const total = read('total')
  const reasoning = read('reasoning') ?? 0
  const missed = read('cacheMissed') ?? 0
  const written = read('cacheWritten') ?? 0
  const cached = Math.max(read('cached') ?? 0, read('cacheRead') ?? 0)
  const writtenInAll = Math.max(written, read('cacheWrittenWithin') ?? 0)
  const said = read('output')
  // Reasoning beyond the completion is not part of it.
  const spoken = reasoning > (said ?? 0) ? (said ?? 0) + reasoning : said
  const input = inputOf({
    whole: read('input'),
    fresh: read('freshInput'),
    beside: (read('cacheRead') ?? 0) + written,
    cached,
    missed,
    written,
    totalInput: total === null || spoken === null ? null : total - spoken,
  })
  const output = total === null || input === null ? spoken : Math.max(spoken ?? 0, total - input)
  const stated = input ?? (total === null || output === null ? null : Math.max(0, total - output))
  const read_tokens = Math.min(cached, Math.max(0, (stated ?? 0) - missed - written))
  const writes = Math.min(writtenInAll, Math.max(0, (stated ?? 0) - read_tokens))
  return {
    input_tokens: stated,
    output_tokens: output,
    cached_tokens: read_tokens,
    ...(writes > 0 && { written_tokens: writes }),
    reasoning_tokens: Math.min(reasoning, output ?? 0),
    total_tokens: total === null ? null : Math.max(total, (stated ?? 0) + (output ?? 0)),
  }
}

interface InputFigures {
  whole: number | null
  fresh: number | null
  beside: number
  cached: number
  missed: number
  written: number
  totalInput: number | null
}

function inputOf(figures: InputFigures): number | null {
  const { whole, fresh, beside, cached, missed, written, totalInput } = figures
  const counted = Math.max(whole ?? 0, fresh ?? 0)
  const parts = Math.max(cached + missed + written, beside)
  if (whole === null && fresh === null) return parts > 0 ? parts : null
  if (parts <= counted && (whole !== null || beside === 0 || totalInput === counted)) return counted
  if (missed > 0) return Math.max(counted, parts)
  // The count excludes the cache: the cache holds more than was counted, or the provider counts so.
  return Math.max(counted + Math.max(cached, beside), parts)
}

function toPath(name: string): string[] {
  return name === '' ? [] : name.split('.')
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function find(value: unknown, path: readonly string[]): unknown {
  let inner = value
  for (const name of path) {
    if (!isObject(inner) || !Object.hasOwn(inner, name)) return undefined
    inner = inner[name]
  }
  return inner
}

function toCount(value: unknown, isStrict: boolean): number | 'impossible' | null {
  if (value === undefined || value === null) return null
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  const isCount = Number.isSafeInteger(number) && (number as number) >= 0
  if (isStrict) return isCount && typeof value === 'number' ? value : 'impossible'
  return isCount ? (number as number) : null
}
