import { exampleEnvironment } from '../../../shared/core/contracts/example-environment.ts'
import type { TranscriptHit, TranscriptHits } from '../../../shared/core/contracts/transcript-search.ts'
import { memoryExample } from './learned-examples.ts'

const { run } = memoryExample

const hitExample: TranscriptHit = {
  id: `${run}/ep-0000007/12`,
  object: 'transcript_hit',
  run,
  run_name: 'mcts by rewards',
  episode: 'ep-0000007',
  task: `${exampleEnvironment}-31`,
  environment: exampleEnvironment,
  method: 'mcts',
  outcome: 'succeeded',
  reward: 1,
  success: true,
  node: 4,
  kind: 'observation',
  role: null,
  finish_reason: null,
  snippet: [
    { text: 'Got 3 ', match: false },
    { text: 'white wool', match: true },
  ],
}

export const hitsExample: TranscriptHits = {
  object: 'list',
  data: [hitExample],
  has_more: false,
  first_id: hitExample.id,
  last_id: hitExample.id,
  runs: 12,
  more_runs: false,
  not_indexed: 0,
  cut_episodes: 0,
}
