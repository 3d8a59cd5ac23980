import { type Episode, type EpisodeResult, episodeId } from '../../shared/core/contracts/episode.ts'

/** An episode that waits for a worker. */
export function queuedEpisode(index: number, task: string, rest: Partial<Episode> = {}): Episode {
  return {
    id: episodeId(index),
    object: 'episode',
    run: 'run-1',
    index,
    task,
    epoch: 0,
    purpose: 'play',
    status: 'queued',
    starts: 0,
    errors: 0,
    result: null,
    ...rest,
  }
}

/** An episode that ended; `reward` null stands for an end without one. */
export function endedEpisode(
  index: number,
  task: string,
  reward: number | null,
  result: Partial<EpisodeResult> = {},
): Episode {
  const status = result.status ?? (reward === 1 ? 'succeeded' : 'failed')
  return queuedEpisode(index, task, {
    status,
    starts: 1,
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
  })
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

/** Items as those who read them page by page see them. */
export async function* stream<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  yield* items
}
