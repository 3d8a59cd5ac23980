import type { EpisodeCall, EpisodeCalls } from '../../core/contracts/episode-calls.ts'
import type { Json, JsonObject } from '../../core/contracts/json.ts'
import type { Usage } from '../../core/contracts/usage.ts'
import { turnsAsText } from '../../play/models/flatten-messages.ts'
import { toInspectMessage } from './inspect-messages.ts'

const stopReasons: Record<string, string> = {
  stop: 'stop',
  length: 'max_tokens',
  tool_calls: 'tool_calls',
  content_filter: 'content_filter',
}

export function toInspectUsage(usage: Omit<Usage, 'model_calls'>): JsonObject {
  const { input_tokens, output_tokens, cached_tokens, reasoning_tokens, cost } = usage
  return {
    input_tokens: input_tokens - (cached_tokens ?? 0),
    output_tokens,
    total_tokens: input_tokens + output_tokens,
    ...(cached_tokens !== undefined && { input_tokens_cache_read: cached_tokens }),
    ...(reasoning_tokens !== undefined && { reasoning_tokens }),
    ...(cost !== null && { total_cost: cost }),
  }
}

export function toMessagePool({ run, episode, messages }: EpisodeCalls): JsonObject[] {
  return turnsAsText(messages).map((message, index) =>
    toInspectMessage(message, `${run}/${episode}/message-${index}`),
  )
}

/**
 * A model event for a call; its prompt is ranges of the messages of {@link toMessagePool}.
 *
 * @param place the run and the episode: Inspect's data frames treat equal ids of two samples as one
 */
export function toModelEvent(call: EpisodeCall, model: string, place: string): JsonObject {
  const { key, asked, answers, endings, usage, at, elapsed, node } = call
  const answered = call.model ?? model
  return {
    event: 'model',
    uuid: `${place}/${key}`,
    timestamp: at,
    completed: at,
    working_start: elapsed,
    model: answered,
    ...(asked !== 'policy' && { role: asked }),
    input: [],
    input_refs: toRanges(call.prompt),
    tools: [],
    tool_choice: 'none',
    config: answers.length > 1 ? { num_choices: answers.length } : {},
    output: {
      model: answered,
      choices: answers.map((content, index): JsonObject => {
        const { finish_reason: reason = null } = endings[index] ?? {}
        return {
          message: { id: `${place}/${key}/${index}`, role: 'assistant', content, source: 'generate' },
          stop_reason: reason === null ? 'unknown' : (stopReasons[reason] ?? 'unknown'),
        }
      }),
      completion: answers[0] ?? '',
      ...(usage && { usage: toInspectUsage(usage) }),
    },
    metadata: { effect: key, node, faults: endings.map(({ fault }): Json => fault) },
  }
}

function toRanges(positions: readonly number[]): [number, number][] {
  const ranges: [number, number][] = []
  for (const position of positions) {
    const last = ranges.at(-1)
    if (last !== undefined && last[1] === position) last[1] = position + 1
    else ranges.push([position, position + 1])
  }
  return ranges
}
