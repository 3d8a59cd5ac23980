import { ApiError } from '../../../shared/core/client/api-error.ts'
import type { Episode } from '../../../shared/core/contracts/episode.ts'
import type { EpisodeCalls } from '../../../shared/core/contracts/episode-calls.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import type { Trajectory } from '../../../shared/core/contracts/trajectory.ts'
import type { ExportClient } from '../../../shared/data/exports/read-episodes.ts'
import { buildReport } from '../../../shared/insight/reports/build-report.ts'
import {
  endedEpisode,
  erroredEpisode,
  learningEpisode,
  queuedEpisode,
  stream,
} from '../../builders/episodes.ts'
import { makeRun } from '../../builders/runs.ts'

/** A run whose episodes ended in every way there is. */
export const endedRunOfAllKinds: Run = makeRun({
  id: 'run-ends',
  status: 'cancelled',
  request: { epochs: 2, episode_limits: { cost: 0.5 } },
})

export const episodesOfAllKinds: Episode[] = [
  endedEpisode(0, 'a/1', 1),
  { ...endedEpisode(1, 'a/1', 0), epoch: 1 },
  erroredEpisode(2, 'errored'),
  endedEpisode(3, 'out of money', null, { status: 'limited', limit: 'cost', progress_rate: 0.5 }),
  endedEpisode(4, 'cancelled', null, { status: 'cancelled' }),
  learningEpisode(5),
  queuedEpisode(6, 'waiting'),
]

/** A trajectory whose first action calls a tool, and whose second is a text. */
export const toolTrajectory: Trajectory = {
  schema_version: 'ATIF-v1.6',
  session_id: 'run-ends/ep-0000000',
  agent: { name: 'espalier-react', version: '0.1.0' },
  steps: [
    { step_id: 1, source: 'user', message: 'Find the weather.' },
    act(2, 'look_up {"city": "Bern"}', 'Rain.'),
    act(3, 'answer rain', 'Right.'),
  ],
  final_metrics: { total_steps: 3, extra: { reward: 1 } },
}

function act(step: number, action: string, shown: string): Trajectory['steps'][number] {
  const id = `call_${step}`
  return {
    step_id: step,
    source: 'agent',
    message: `Action: ${action}`,
    tool_calls: [{ tool_call_id: id, function_name: 'act', arguments: { action } }],
    observation: { results: [{ source_call_id: id, content: shown }] },
    extra: { node: step - 1, reward: 0 },
  }
}

const calls: EpisodeCalls = {
  object: 'episode_calls',
  run: 'run-ends',
  episode: 'ep-0000000',
  messages: [
    { role: 'system', content: 'Rules.' },
    { role: 'user', content: 'Find the weather.' },
    { role: 'assistant', content: 'Action: look_up {"city": "Bern"}' },
  ],
  calls: [
    {
      key: 'node/0/sample/0',
      asked: 'policy',
      model: 'openai/small',
      answers: ['Action: look_up {"city": "Bern"}'],
      endings: [{ finish_reason: 'length', fault: 'cut' }],
      usage: { model_calls: 1, input_tokens: 90, cached_tokens: 40, output_tokens: 10, cost: 0.5 },
      at: '2026-11-21T09:00:02.140Z',
      elapsed: 2.1,
      node: 0,
      prompt: [0, 2, 1],
    },
  ],
}

/** Answers as the API does for a run whose first episode alone has a trajectory and calls. */
export function scriptedClient(pageSize = 3): ExportClient {
  const missing = () =>
    Promise.reject(
      new ApiError(404, { type: 'invalid_request_error', code: 'not_found', message: 'None.', param: null }),
    )
  const isFirst = (episode: string) => episode === 'ep-0000000'
  return {
    run: async () => endedRunOfAllKinds,
    async episodes(_, { after }) {
      const start = episodesOfAllKinds.findIndex(({ id }) => id === after) + 1
      const data = episodesOfAllKinds.slice(start, start + pageSize)
      const ids = { first_id: data.at(0)?.id ?? null, last_id: data.at(-1)?.id ?? null }
      return { object: 'list', data, has_more: start + pageSize < episodesOfAllKinds.length, ...ids }
    },
    tree: missing,
    trajectory: async (_, episode) => (isFirst(episode) ? toolTrajectory : missing()),
    calls: async (_, episode) => (isFirst(episode) ? calls : missing()),
    report: () =>
      buildReport(endedRunOfAllKinds, stream(episodesOfAllKinds), {
        simulated: false,
        facts: null,
        interval: 't',
      }),
  }
}
