import { execFile } from 'node:child_process'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { writeTables, writeTrajectories } from '../../cli/commands/download.ts'
import { writeInspectLog } from '../../cli/download/write-inspect-log.ts'
import { runCli } from '../../cli/run-cli.ts'
import { toList } from '../../shared/core/contracts/list.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import { inspectSampleId } from '../../shared/data/exports/inspect-sample.ts'
import { endedEpisode } from '../builders/episodes.ts'
import { recordingTerminal } from '../cli/recording-terminal.ts'
import { endedRunOfAllKinds, scriptedClient } from '../data/exports/scripted-client.ts'
import { pythonWith } from '../support/python-venv.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const run = promisify(execFile)
const reader = join(import.meta.dirname, 'python/read_exports.py')
let python: string

beforeAll(async () => {
  python = await pythonWith('test/interop/exports-requirements.txt')
})

async function readBack(folder: string) {
  const [log = ''] = await readdir(join(folder, 'log'))
  const words = [reader, join(folder, 'log', log), join(folder, 'atif'), join(folder, 'tables')]
  const { stdout } = await run(python, words, { maxBuffer: 64 * 1024 * 1024 })
  return JSON.parse(stdout)
}

test('a run that was played is read by Inspect, by the models of ATIF and by pandas', async () => {
  const folder = await temporaryFolder()
  const espalier = async (words: string[]) => {
    const terminal = recordingTerminal()
    expect(await runCli([...words, '--folder', join(folder, 'data')], terminal)).toBe(0)
    return terminal.outs.join('\n')
  }
  const words = ['--environment', 'textcraft', '--method', 'react', '--model', 'simulated', '--limit', '2']
  const out = await espalier(['run', ...words, '--epochs', '2', '--json'])
  const lines = out.split('\n').map((line) => JSON.parse(line))
  const played: Run = lines.findLast(({ object }) => object === 'run')
  const report = lines.findLast(({ object }) => object === 'report')
  for (const [format, place] of Object.entries({
    inspect: 'log',
    atif: 'atif',
    csv: 'tables',
    parquet: 'tables',
  }))
    await espalier(['download', played.id, '--format', format, '--out', join(folder, place)])
  const read = await readBack(folder)
  const { input_tokens, output_tokens, model_calls } = played.usage
  expect(read).toMatchObject({ listed: 1, status: 'success', model: 'simulated/simulated', summaries: 4 })
  expect(read.rows.slice(0, 2)).toEqual([1, 4])
  expect(read.rows[2]).toBeGreaterThanOrEqual(model_calls)
  expect(read.events).toBe(model_calls + 8)
  expect(read.metrics.reward.mean).toBe(report.reward.mean)
  expect(read.samples.map(({ epoch }: { epoch: number }) => epoch).sort()).toEqual([1, 1, 2, 2])
  const ids = [...new Set(read.samples.map(({ id }: { id: string }) => id))]
  expect(read.dataset).toMatchObject({ samples: 2, sample_ids: ids })
  expect(read.streamed).toEqual(ids.flatMap((id) => [1, 2].map((epoch) => [id, epoch])))
  const sum = (name: string) =>
    read.samples.reduce((total: number, sample: Record<string, number>) => total + (sample[name] ?? 0), 0)
  expect(sum('tokens')).toBe(input_tokens + output_tokens)
  expect(sum('calls')).toBe(model_calls)
  expect(read.samples[0].prompt.at(-1)).toBeTruthy()
  expect(read.samples[0].roles.slice(0, 3)).toEqual(['system', 'user', 'assistant'])
  expect(read.trajectories).toHaveLength(4)
  expect(read.tables['episodes.csv']).toEqual(read.tables['episodes.parquet'])
  expect(read.tables['steps.csv']).toEqual(read.tables['steps.parquet'])
  expect(read.tables['calls.parquet'][0]).toBe(model_calls)
})

test('whatever way episodes end, Inspect reads a fault as an error and never as a score', async () => {
  const folder = await temporaryFolder()
  const client = scriptedClient()
  await Promise.all(['log', 'atif', 'tables'].map((name) => mkdir(join(folder, name))))
  await writeInspectLog(client, endedRunOfAllKinds, {
    folder: join(folder, 'log'),
    address: 'http://127.0.0.1:8080',
  })
  await writeTrajectories(client, endedRunOfAllKinds, { folder: join(folder, 'atif') })
  await writeTables(client, [endedRunOfAllKinds], { folder: join(folder, 'tables'), format: 'parquet' })
  const read = await readBack(folder)
  expect(read).toMatchObject({ status: 'cancelled', summaries: 5 })
  const ids = ['a/1', 'errored', 'out of money', 'cancelled', 'waiting']
  expect(read.dataset).toMatchObject({ samples: 5, sample_ids: ids })
  expect(read.journaled).toEqual(ids)
  expect(read.streamed).toEqual([['a/1', 1], ['a/1', 2], ...ids.slice(1, 4).map((id) => [id, 1])])
  // Inspect's frame of messages has those of the calls: three of the prompt, and the answer.
  expect(read.rows).toEqual([1, 5, 4])
  const ends = new Map(read.samples.map((sample: { episode: string }) => [sample.episode, sample]))
  expect(ends.get('ep-0000000')).toMatchObject({
    scores: { reward: 1, success: 1 },
    error: null,
    prompt: ['Rules.', 'Action: look_up {"city": "Bern"}', 'Find the weather.'],
    roles: ['user', 'assistant', 'tool', 'assistant', 'user'],
    tree: 'http://127.0.0.1:8080/v1/runs/run-ends/episodes/ep-0000000/tree',
  })
  expect(ends.get('ep-0000001')).toMatchObject({ scores: { reward: 0, success: 0 }, epoch: 2 })
  expect(ends.get('ep-0000002')).toMatchObject({ scores: null, error: 'HostLost: The host left.' })
  expect(ends.get('ep-0000003')).toMatchObject({ scores: null, error: null, limit: 'cost' })
  expect(ends.get('ep-0000004')).toMatchObject({ scores: null, error: 'The episode was cancelled.' })
})

test('whatever a task’s id is, Inspect finds the sample of each of its epochs', async () => {
  const folder = await temporaryFolder()
  await Promise.all(['log', 'atif', 'tables'].map((name) => mkdir(join(folder, name))))
  const part = fc.constantFrom(' ', ...'a B _ / .. . \\ % 5C 2E 25 : 看 _epoch_1'.split(' '))
  const id = fc.oneof(fc.array(part, { minLength: 1, maxLength: 6 }), fc.array(fc.string()))
  const tasks = [...new Set(fc.sample(id, 150).map((parts) => `t${parts.join('')}`))]
  const named = ['/t', '../t', 'valid_unseen/pick/trial_1', 'valid_unseen_pick_trial_1', ...tasks]
  const episodes = named.flatMap((task, at) =>
    [0, 1].map((epoch) => ({ ...endedEpisode(2 * at + epoch, task, 1), epoch })),
  )
  const client = { ...scriptedClient(), episodes: async () => toList(episodes, false) }
  const succeeded: Run = { ...endedRunOfAllKinds, status: 'succeeded' }
  await writeInspectLog(client, succeeded, { folder: join(folder, 'log'), address: null })
  const read = await readBack(folder)
  expect(read.samples.filter(({ found }: { found: boolean }) => !found)).toEqual([])
  expect(read.dataset.sample_ids).toEqual(named.map(inspectSampleId))
  expect(read.streamed).toEqual(
    named.flatMap((task) => [1, 2].map((epoch) => [inspectSampleId(task), epoch])),
  )
})
