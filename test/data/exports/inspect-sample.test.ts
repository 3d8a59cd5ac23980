import { expect, test } from 'vitest'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import { toInspectSample } from '../../../shared/data/exports/inspect-sample.ts'
import { readEpisodes } from '../../../shared/data/exports/read-episodes.ts'
import { endedRunOfAllKinds, scriptedClient } from './scripted-client.ts'

async function samples(): Promise<(JsonObject | null)[]> {
  const made: (JsonObject | null)[] = []
  for await (const exported of readEpisodes(scriptedClient(), endedRunOfAllKinds, {
    trajectory: true,
    calls: true,
  }))
    made.push(toInspectSample(exported, 'http://127.0.0.1:8080')?.sample ?? null)
  return made
}

test('only an episode that carries a reward has scores: a fault, a cap of money and a cancellation are no zero', async () => {
  const scores = (await samples()).map((sample) => sample && (sample.scores ?? 'none'))
  expect(scores).toEqual([
    { reward: { value: 1, metadata: { progress_rate: 1 } }, success: { value: 'C' } },
    { reward: { value: 0, metadata: { progress_rate: 0 } }, success: { value: 'I' } },
    'none',
    'none',
    'none',
    null,
    null,
  ])
})

test('faults and cancellations are errors, limits are limits with their bound', async () => {
  const [solved, , errored, limited, cancelled] = await samples()
  expect(solved).not.toHaveProperty('error')
  expect(errored).toMatchObject({ error: { message: 'HostLost: The host left.' } })
  expect(limited).toMatchObject({ limit: { type: 'cost', limit: 0.5 } })
  expect(limited).not.toHaveProperty('error')
  expect(cancelled).toMatchObject({ error: { message: 'The episode was cancelled.' } })
})

test('an action that calls a tool is a tool call, any other is text', async () => {
  const [solved] = await samples()
  expect(solved?.messages).toMatchObject([
    { role: 'user' },
    { role: 'assistant', tool_calls: [{ id: 'call_2', function: 'look_up', arguments: { city: 'Bern' } }] },
    { role: 'tool', tool_call_id: 'call_2', content: 'Rain.' },
    { role: 'assistant', content: 'Action: answer rain' },
    { role: 'user', content: 'Right.' },
  ])
  expect(solved).toMatchObject({ input: [{ content: 'Find the weather.' }], epoch: 1 })
})

test('a call is a model event with its prompt as ranges, its usage and how it ended', async () => {
  const [solved] = await samples()
  expect(solved?.events).toMatchObject([
    {
      event: 'model',
      input_refs: [
        [0, 1],
        [2, 3],
        [1, 2],
      ],
      output: {
        choices: [{ stop_reason: 'max_tokens' }],
        usage: { input_tokens: 50, input_tokens_cache_read: 40, total_tokens: 100, total_cost: 0.5 },
      },
      metadata: { faults: ['cut'], node: 0 },
    },
    { event: 'score', scorer: 'reward' },
    { event: 'score', scorer: 'success' },
  ])
})
