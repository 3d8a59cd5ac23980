import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openService, type Service, type ServiceOptions } from '../../local/open-service.ts'
import type { Episode } from '../../shared/core/contracts/episode.ts'
import type { List } from '../../shared/core/contracts/list.ts'
import type { WorkerInfo } from '../../shared/core/contracts/machine.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const file = join(import.meta.dirname, '../../examples/guess-number.ts')

async function newFolder(): Promise<string> {
  const folder = await temporaryFolder()
  const environments = { 'guess-number': { kind: 'module', file, labels: ['gpu', 'browser'] } }
  await writeFile(join(folder, 'environments.json'), JSON.stringify({ environments }))
  return folder
}

async function open(options: Pick<ServiceOptions, 'folder' | 'labels' | 'workers'>): Promise<Service> {
  const service = await openService({ ...options, log: () => undefined })
  onTestFinished(() => service.close({ grace: 1 }))
  return service
}

async function get<Answer>({ app }: Service, path: string): Promise<Answer> {
  return (await (await app.request(path)).json()) as Answer
}

async function create({ app }: Service, environment: string): Promise<string> {
  const body = JSON.stringify({
    environment,
    tasks: { split: 'test', limit: 2 },
    method: { id: 'react', max_steps: 3 },
    model: { endpoint: 'simulated', id: 'simulated' },
  })
  const headers = { 'Content-Type': 'application/json' }
  const answer = await app.request('/v1/runs', { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(await answer.text())
  return ((await answer.json()) as Run).id
}

async function when(service: Service, run: string, holds: (run: Run) => boolean): Promise<Run> {
  return await expect
    .poll(
      async () => {
        const found = await get<Run>(service, `/v1/runs/${run}`)
        return holds(found) ? found : null
      },
      { timeout: 60_000 },
    )
    .not.toBeNull()
    .then(() => get<Run>(service, `/v1/runs/${run}`))
}

const hasEnded = ({ ended_at }: Run) => ended_at !== null

for (const workers of [0, 1])
  test(`a run waits for labels, says so, and plays once a machine has them (${workers} worker processes)`, async () => {
    const folder = await newFolder()
    const without = await open({ folder, labels: ['browser'], workers })
    const run = await create(without, 'guess-number')
    const waiting = await when(without, run, ({ last_problem }) => last_problem !== null)
    expect(waiting.last_problem?.message).toBe(
      'Its episodes wait: no worker with its environment and endpoints has the labels gpu,browser. Start a worker, or the service, with --labels gpu,browser.',
    )
    // Others do not wait for it.
    const other = await create(without, 'textcraft')
    expect((await when(without, other, hasEnded)).status).toBe('succeeded')
    const still = await get<Run>(without, `/v1/runs/${run}`)
    const { data } = await get<List<Episode>>(without, `/v1/runs/${run}/episodes`)
    expect(data.map(({ status, starts }) => [status, starts])).toEqual([
      ['queued', 0],
      ['queued', 0],
    ])
    expect(still.last_problem?.message).toContain('--labels gpu,browser')
    await without.close({ grace: 1 })

    const labelled = await open({ folder, labels: ['browser', 'gpu', 'own'], workers })
    const played = await when(labelled, run, hasEnded)
    expect(played).toMatchObject({ status: 'succeeded', last_problem: null })
  })

test('the service lists its workers with their labels, load and last heartbeat', async () => {
  const service = await open({ folder: await temporaryFolder(), labels: ['gpu', 'gpu'] })
  const { data } = await get<List<WorkerInfo>>(service, '/v1/workers')
  expect(data).toEqual([
    {
      ...{ id: expect.any(String), object: 'worker', status: 'idle', kind: 'service' },
      ...{ host: expect.any(String), version: expect.any(String), labels: ['gpu'] },
      ...{ capacity: 1000, playing: 0, episodes: [] },
      started_at: expect.any(String),
      heard_at: expect.any(String),
    },
  ])
})
