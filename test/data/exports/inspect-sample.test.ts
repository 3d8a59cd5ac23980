import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import { inspectSampleId, toInspectSample } from '../../../shared/data/exports/inspect-sample.ts'
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

const part = fc.constantFrom('a', '/', '..', '.', '\\', '%', '5C', '2E', '25')
const task = fc.array(part, { minLength: 1, maxLength: 8 }).map((parts) => parts.join(''))

test('an archive keeps the name of each sample as it is, and no two tasks share one', async () => {
  const tasks = fc.uniqueArray(task, { minLength: 2, maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(tasks, async (tasks) => {
      const names = tasks.map((each) => `samples/${inspectSampleId(each)}_epoch_1.json`)
      expect(new Set(names).size).toBe(tasks.length)
      const archive = new ZipFile()
      for (const name of names) archive.addBuffer(Buffer.alloc(0), name)
      archive.end()
      const bytes = await buffer(archive.outputStream as NodeJS.ReadableStream)
      expect(names.filter((name) => !bytes.includes(name))).toEqual([])
    }),
  )
})

test('a sample has its task as its id unless an archive bars the name', () => {
  const plain = ['valid_unseen/pick-Soap/trial_1', '/a//b', 'a..b/...', '100 %/..', 'C:看']
  expect(plain.map(inspectSampleId)).toEqual(plain)
  expect(['../a', 'a/../../b', 'a\\..\\b', 'a%5Cb'].map(inspectSampleId)).toEqual([
    '%2E%2E/a',
    'a/%2E%2E/%2E%2E/b',
    'a%5C..%5Cb',
    'a%255Cb',
  ])
})
