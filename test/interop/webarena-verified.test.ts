import { spawnSync } from 'node:child_process'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { writeVerifiedFiles } from '../../cli/scoring/write-verified-files.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import { packTrace } from '../../shared/environments/webarena/verified/stored-trace.ts'
import { endedEpisode } from '../builders/episodes.ts'
import { storedTraceOf } from '../environments/webarena/verified/stored-trace-of.ts'
import { ownSites, verifiedCases } from '../environments/webarena/verified/verified-cases.ts'
import { pythonWith } from '../support/python-venv.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const program = join(import.meta.dirname, 'python/score_verified.py')
let python: string

beforeAll(async () => {
  python = await pythonWith('test/interop/verified-requirements.txt')
})

test('the evaluators of WebArena-Verified give every case the score that we give it', () => {
  const input = JSON.stringify({ sites: ownSites, cases: verifiedCases })
  const { status, stdout, stderr } = spawnSync(python, [program], {
    input,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  expect([status, status === 0 ? '' : stderr]).toEqual([0, ''])
  const theirs = JSON.parse(stdout) as { score: number; status: string }[]
  const listed = verifiedCases.map(({ name }, index) => [name, theirs[index]?.score])
  expect(listed).toEqual(verifiedCases.map(({ name, score }) => [name, score]))
})

test('WebArena-Verified scores the files of a run as we score its traces, and a cut trace is left out', async () => {
  const numbered = verifiedCases.map((each, index) => ({ ...each, task: { ...each.task, task_id: index } }))
  const packed = await Promise.all(numbered.map((each) => packTrace(storedTraceOf(each))))
  const [first] = numbered as [(typeof numbered)[0]]
  packed.push(await packTrace(storedTraceOf(first, 'it has more than 5000 requests')))
  const episodes = packed.map((_, index) => endedEpisode(index, `task ${index}`, 1))
  const client = {
    episodes: async () => ({ data: episodes, has_more: false, last_id: null }),
    trajectory: async (_: string, id: string) => ({
      steps: [{ extra: { trace: packed[episodes.findIndex((episode) => episode.id === id)] } }],
    }),
  } as unknown as Parameters<typeof writeVerifiedFiles>[0]
  const [folder, place] = [await temporaryFolder(), await temporaryFolder()]
  const run = { id: 'run-1', request: { epochs: 1 } } as Run
  const state = await writeVerifiedFiles(client, run, folder, { signal: new AbortController().signal })
  expect(state.written).toBe(numbered.length)
  expect(state.left_out).toEqual([
    {
      episode: episodes.at(-1)?.id,
      task: episodes.at(-1)?.task,
      reason: expect.stringContaining('incomplete: it has more than 5000 requests'),
    },
  ])
  const tasks = join(place, 'tasks.json')
  // Its reader takes a list of 812 tasks alone.
  const others = Array.from({ length: 812 - numbered.length }, (_, at) => ({
    ...first.task,
    task_id: numbered.length + at,
  }))
  await writeFile(tasks, JSON.stringify([...numbered.map(({ task }) => task), ...others]))
  expect(await readdir(folder)).toHaveLength(numbered.length)
  const { status, stdout, stderr } = spawnSync(
    python,
    [join(import.meta.dirname, 'python/score_verified_files.py'), folder, tasks],
    { encoding: 'utf8', maxBuffer: 2 ** 26 },
  )
  expect([status, status === 0 ? '' : stderr]).toEqual([0, ''])
  const theirs = JSON.parse(stdout) as Record<string, { score: number; error: string | null }>
  const listed = numbered.map(({ name }, index) => [name, theirs[index]?.score])
  expect(listed).toEqual(numbered.map(({ name, score }) => [name, score]))
})
