import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildDataset } from '../../cli/build-dataset.ts'
import { followRun } from '../../cli/follow-run.ts'
import { type DemoService, startDemoService } from '../../scripts/demo-loop/demo-parts.ts'
import { makeBase } from '../../scripts/demo-loop/make-base.ts'
import type { DatasetPreviewRow } from '../../shared/core/contracts/dataset.ts'
import type { RowOf } from '../../shared/core/contracts/dataset-row.ts'
import type { CallTokens } from '../../shared/core/contracts/token-record.ts'
import { installPythonEnvironment } from '../../shared/core/programs/python-environment.ts'
import { llamaCppPackages } from '../../shared/learn/serving/llama-cpp-driver.ts'
import { trainerPackages } from '../../shared/learn/trainings/local/local-trainer.ts'
import { lentFolder } from '../support/temporary-folder.ts'
import { play } from './small-loop.ts'

const run = promisify(execFile)
const lent = await lentFolder()
let service: DemoService
let python: string
let model: string
let endpoint: string
let weights: string
/** The recorded runs. */
const recorded: string[] = []

beforeAll(async () => {
  await installPythonEnvironment(llamaCppPackages(process.env), () => {})
  ;({ python } = await installPythonEnvironment(trainerPackages(process.env), () => {}))
  service = await startDemoService(join(lent.folder, 'data'))
  const { client } = service
  const words = await play(client, {
    environment: 'pddl',
    tasks: { split: 'test', limit: 2 },
    method: { id: 'react', max_steps: 5 },
    model: { endpoint: 'novice', id: 'novice' },
  })
  weights = await makeBase(client, { python, folder: lent.folder, runs: [words], seed: 3 })
  // The prompts of mcts are longer than the demonstration's; the positions of this model have no weights.
  const config = join(weights, 'config.json')
  const known = JSON.parse(await readFile(config, 'utf8')) as object
  await writeFile(config, JSON.stringify({ ...known, max_position_embeddings: 4096 }))
  model = (await client.registerModel({ folder: weights }, 'the model of token records')).id
  endpoint = (await client.serveModel(model)).endpoint
})

afterAll(async () => {
  await service?.end('SIGTERM')
  await lent.remove()
})

/** The records of mcts by the served model, with the settings of the model changed. */
async function record(changes: object): Promise<CallTokens[]> {
  const { client } = service
  const { id } = await client.createRun(
    {
      environment: 'pddl',
      tasks: { split: 'test', limit: 2 },
      method: { id: 'mcts', iterations: 40, samples: 3, max_depth: 3 },
      model: { endpoint, id: model, max_tokens: 24, ...changes },
      record: 'tokens',
      max_parallel: 1,
    },
    JSON.stringify(changes),
  )
  recorded.push(id)
  const { signal } = new AbortController()
  const follow = () => followRun(client, id, { signal, onProgress: () => {} })
  // A model with random weights ends no answer: the run pauses once for that.
  if ((await follow()).status === 'paused') {
    await client.changeRun(id, 'resume')
    await follow()
  }
  const { data } = await client.episodes(id, { limit: 100 })
  const episodes = await Promise.all(data.map((episode) => client.tokens(id, episode.id)))
  expect(episodes.map(({ unrecorded }) => unrecorded)).toEqual(data.map(() => 0))
  return episodes.flatMap(({ calls }) => calls)
}

/** By PyTorch, from the weights. */
async function recompute(calls: readonly CallTokens[]): Promise<number[][]> {
  const [asked, answered] = [join(lent.folder, 'calls.json'), join(lent.folder, 'logprobs.json')]
  await writeFile(
    asked,
    JSON.stringify(calls.map(({ prompt_ids: prompt, answers }) => ({ prompt, answer: answers[0]?.ids }))),
  )
  await run(python, [join(import.meta.dirname, 'recompute_logprobs.py'), weights, asked, answered], {
    env: { ...process.env, HF_HUB_OFFLINE: '1' },
  })
  return JSON.parse(await readFile(answered, 'utf8')) as number[][]
}

const furthest = 1e-3

test.each([
  ['token ids', { prompting: 'tokens' }, ['continuous', 'forked']],
  ['chats', {}, null],
])(
  '200 calls of mcts by %s have the log-probabilities that PyTorch computes from the weights',
  async (_name, changes, kinds) => {
    const calls = (await record(changes)).slice(0, 200)
    expect(calls).toHaveLength(200)
    const computed = await recompute(calls)
    let compared = 0
    for (const [place, { answers, prompt_ids, verdict }] of calls.entries()) {
      expect(prompt_ids?.length).toBeGreaterThan(0)
      if (kinds !== null) expect(kinds).toContain(verdict?.kind)
      for (const [at, logprob] of (answers[0]?.logprobs ?? []).entries()) {
        if (logprob === null) continue
        compared += 1
        expect(Math.abs(logprob - (computed[place]?.[at] ?? Number.NaN))).toBeLessThan(furthest)
      }
    }
    expect(compared).toBeGreaterThan(1000)
  },
  600_000,
)

/** The rows of a dataset of the recorded runs, with their lineage. */
async function rowsOf(kind: 'rollouts' | 'rollout-trees') {
  const { client } = service
  const request = {
    runs: recorded,
    kind,
    format: 'jsonl',
    parameters: { flat: 'keep' },
    gates: { held_out: 'keep', duplicates: 'keep' },
  } as const
  const dataset = await buildDataset(client, request, { interval: 20 })
  expect(dataset.left_out).toEqual({})
  const rows: DatasetPreviewRow[] = []
  for (let more = true; more; ) {
    const after = rows.length === 0 ? {} : { after: rows.length - 1 }
    const page = await client.datasetRows(dataset.id, { limit: 100, ...after })
    rows.push(...page.data)
    more = page.has_more
  }
  return { dataset, rows }
}

test('the rollouts of these runs hold the ids of the server, and their trees a third of the tokens', async () => {
  const sent = new Set<string>()
  for (const run of recorded) {
    const { data } = await service.client.episodes(run, { limit: 100 })
    for (const { id } of data) {
      const { calls } = await service.client.tokens(run, id)
      for (const { answers, prompt_ids } of calls) {
        for (const { ids } of answers) sent.add(JSON.stringify([...(prompt_ids ?? []), ...(ids ?? [])]))
      }
    }
  }
  const flat = await rowsOf('rollouts')
  expect(flat.rows.length).toBeGreaterThan(50)
  for (const { data } of flat.rows) {
    const row = data as unknown as RowOf<'rollout'>
    expect(sent).toContain(JSON.stringify([...row.prompt_ids, ...row.completion_ids]))
  }
  const trees = await rowsOf('rollout-trees')
  const tokens = trees.dataset.tokens?.total ?? Number.NaN
  expect(flat.dataset.tokens?.total).toBeGreaterThanOrEqual(3 * tokens)
  expect(trees.dataset.warnings).toEqual([expect.stringContaining(`The trees hold ${tokens} tokens`)])
}, 600_000)
