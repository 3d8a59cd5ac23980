import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { installPackage } from '../python-client/python-package.ts'
import { startEspalier } from '../service/processes.ts'
import { request } from '../service/request.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { openTokenServer } from '../support/token-server.ts'
import { runPython } from './run-python.ts'

interface Adapted {
  verl: { own: number; logprobs: number; turns: number }
  responses: number
  skyrl: string[]
  rows: number
  branches: boolean[]
  nodes: boolean[]
  art: string[]
  tokens: string[]
}

interface Trained {
  losses: number[]
  counted: number[][]
  served: string[]
  versions: string[]
  samples: number
  batches: [number, number][]
  kept: number[][]
  finite: boolean
}

/** A rollout server over a model server that gives tokens, and the installed client. */
async function openLab() {
  const installed = await installPackage()
  onTestFinished(installed.remove)
  const server = await openTokenServer('sglang', { skill: 0.6 })
  const folder = await temporaryFolder()
  const lab = { kind: 'openai', base_url: server.base, tokens: 'sglang' }
  await writeFile(join(folder, 'endpoints.json'), JSON.stringify({ endpoints: { lab } }))
  const service = await startEspalier('serve', '--folder', folder, '--port', '0')
  const { data } = await request<{ data: { id: string }[] }>(
    service,
    'GET',
    '/v1/environments/textcraft/tasks?split=train&limit=3',
  )
  const lib = join(installed.python, '../../lib')
  const beside = (await readdir(lib)).map((version) => join(lib, version, 'site-packages'))
  const job = { address: service.first.address, tasks: data.map(({ id }) => id), beside }
  return { server, job, client: String(installed.environment.PYTHONPATH) }
}

test('TRL trains three steps from a live rollout server, and its loss covers exactly the agent’s tokens', async () => {
  const { client, job, server } = await openLab()
  const [trained] = await runPython<Trained>('train_live.py', [{ ...job, vocabulary: 600 }], client)
  expect(trained?.losses).toHaveLength(3)
  expect(trained?.losses.every(Number.isFinite)).toBe(true)
  expect(trained?.served).toEqual(['step-0', 'step-1', 'step-2'])
  expect(trained?.versions).toEqual(['step-0', 'step-1', 'step-2'])
  expect(trained?.finite).toBe(true)
  const answers = new Set(server.given.flatMap((call) => call.answers.map(({ ids }) => JSON.stringify(ids))))
  expect(trained?.counted.length).toBeGreaterThanOrEqual(6)
  for (const ids of trained?.counted ?? []) expect(areAnswers(ids, answers)).toBe(true)
  // A plain loop reads the same samples as tensors.
  expect(trained?.kept).toHaveLength(trained?.samples ?? -1)
  expect(trained?.batches.slice(0, -1).every(([rows]) => rows === 4)).toBe(true)
  const kept = new Set(trained?.kept.map((ids) => JSON.stringify(ids)))
  for (const ids of trained?.counted ?? []) expect(kept).toContain(JSON.stringify(ids))
}, 900_000)

test('verl, SkyRL, verifiers and ART get groups in the fields that they publish', async () => {
  const { client, job } = await openLab()
  const [adapted] = await runPython<Adapted>('adapt_live.py', [job], `${client}:${inject('rollouts')}`)
  expect(adapted?.verl.own).toBeGreaterThan(0)
  expect(adapted?.verl.logprobs).toBe(adapted?.responses)
  expect(adapted?.verl.turns).toBeGreaterThan(1)
  expect(adapted).toMatchObject({
    skyrl: [],
    rows: 6,
    art: [],
    tokens: [expect.stringMatching(/^token_id:\d+$/)],
  })
  for (const holds of [adapted?.branches, adapted?.nodes]) {
    expect(holds?.length).toBeGreaterThanOrEqual(6)
    expect(holds).not.toContain(false)
  }
}, 900_000)

/** True if the ids are whole answers of the server, one behind the other. */
function areAnswers(ids: readonly number[], answers: ReadonlySet<string>): boolean {
  const endId = 3
  const parts: number[][] = [[]]
  for (const id of ids) {
    parts.at(-1)?.push(id)
    if (id === endId) parts.push([])
  }
  return parts.at(-1)?.length === 0 && parts.slice(0, -1).every((part) => answers.has(JSON.stringify(part)))
}
