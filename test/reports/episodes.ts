import { type Episode, type EpisodeResult, episodeId } from '../../shared/contracts/episode.ts'
import { type Run, runSchema } from '../../shared/contracts/run.ts'

/** An episode that ended; `reward` null stands for an end without one. */
export function endedEpisode(
  index: number,
  task: string,
  reward: number | null,
  result: Partial<EpisodeResult> = {},
): Episode {
  const status = result.status ?? (reward === 1 ? 'succeeded' : 'failed')
  return {
    id: episodeId(index),
    object: 'episode',
    run: 'run-1',
    index,
    task,
    epoch: 0,
    purpose: 'play',
    status,
    starts: 1,
    errors: 0,
    result: {
      reward,
      success: reward === null ? null : reward >= 1,
      limit: null,
      error: null,
      steps: 4,
      nodes: 5,
      path_length: 4,
      primitive_steps: 6,
      invalid_actions: 1,
      unparsable: 1,
      progress_rate: reward,
      grounding_accuracy: 0.75,
      usage: { model_calls: 4, input_tokens: 90, output_tokens: 10, cost: 0.5 },
      working_seconds: 1,
      attempt: 1,
      ...result,
      status,
    },
  }
}

export function erroredEpisode(index: number, task: string): Episode {
  return endedEpisode(index, task, null, {
    status: 'errored',
    error: { name: 'HostLost', message: 'The host left.', effect: null },
  })
}

/** One that learned for others: it succeeded, and has no reward. */
export function learningEpisode(index: number, result: Partial<EpisodeResult> = {}): Episode {
  return {
    ...endedEpisode(index, 'learn:boil', null, { status: 'succeeded', ...result }),
    purpose: 'learn',
  }
}

export function runNamed(
  id: string,
  request: { environment?: string; endpoint?: string; data?: string } = {},
): Run {
  const counts = { total: 0, waiting: 0, active: 0, succeeded: 0, failed: 0, limited: 0, errored: 0 }
  return runSchema.parse({
    id,
    object: 'run',
    status: 'succeeded',
    status_reason: null,
    created_at: '2026-01-01T00:00:00.000Z',
    started_at: null,
    ended_at: null,
    running_seconds: 1,
    episodes: { ...counts, cancelled: 0 },
    usage: { model_calls: 9, input_tokens: 900, output_tokens: 100, cost: 1.25 },
    lost_calls: 2,
    answer_warnings: [],
    learning_episodes: 0,
    memory: null,
    library: null,
    live: false,
    request: {
      environment: request.environment ?? 'textcraft',
      ...(request.data !== undefined && { data: request.data }),
      method: { id: 'react' },
      model: { endpoint: request.endpoint ?? 'openai', id: 'small' },
    },
  })
}

export async function* stream<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  yield* items
}
