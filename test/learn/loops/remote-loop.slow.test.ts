import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openService } from '../../../local/open-service.ts'
import type { EndpointDetail } from '../../../shared/core/contracts/endpoint.ts'
import type { Loop } from '../../../shared/core/contracts/loop.ts'
import type { ModelServer } from '../../../shared/core/contracts/model-server.ts'
import type { RegisteredModel } from '../../../shared/core/contracts/registered-model.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import type { Training } from '../../../shared/core/contracts/training.ts'
import { openFineTuningServer, serviceKey } from '../../support/fine-tuning-server.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** The whole service in this process, with a trainer that is a fine-tuning service. */
async function openWithTrainer() {
  const server = await openFineTuningServer()
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'service.key'), serviceKey)
  await chmod(join(folder, 'service.key'), 0o600)
  const tuning = {
    kind: 'openai',
    base_url: server.address,
    api_key_file: 'service.key',
    price: 8,
    look_every: 0.05,
    endpoint: { prices: { '*': { input: 1, output: 2 } } },
  }
  await writeFile(join(folder, 'trainers.json'), JSON.stringify({ trainers: { tuning } }))
  const service = await openService({ folder, log: () => undefined })
  onTestFinished(() => service.close({ grace: 1 }))

  async function read<Answer>(path: string, body?: object): Promise<Answer> {
    const headers = { 'content-type': 'application/json', host: 'localhost' }
    const response = await service.app.request(
      path,
      body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
    )
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
    return (await response.json()) as Answer
  }

  /** What stands there, once it has ended. */
  async function ended<Thing extends { ended_at: string | null }>(path: string): Promise<Thing> {
    await expect
      .poll(async () => (await read<Thing>(path)).ended_at, { timeout: 100_000, interval: 100 })
      .not.toBeNull()
    return read<Thing>(path)
  }
  return { server, read, ended }
}

test('a loop trains at a fine-tuning service and plays what that made there', async () => {
  const { server, read, ended } = await openWithTrainer()
  const simulated = { endpoint: 'simulated', id: 'simulated' }
  const expert = await read<Run>('/v1/runs', {
    environment: 'textcraft',
    tasks: { split: 'train', limit: 6 },
    method: { id: 'react' },
    model: simulated,
  })
  await ended<Run>(`/v1/runs/${expert.id}`)
  const { id } = await read<Loop>('/v1/loops', {
    recipe: 'rft',
    environment: 'textcraft',
    base: { hub: 'small-model' },
    policy: simulated,
    experts: [expert.id],
    trainer: 'tuning',
    format: 'openai',
    tasks: { train: { split: 'train', limit: 6 }, test: { split: 'test', limit: 4 } },
    settings: { rounds: 2, samples: 1, start_from: 'previous' },
    patience: null,
  })
  const loop = await ended<Loop>(`/v1/loops/${id}`)
  expect([loop.status, loop.reason]).toEqual(['succeeded', expect.stringContaining('rounds were made')])

  const [first, second] = server.jobs()
  expect(server.jobs()).toHaveLength(2)
  expect([first?.model, second?.model]).toEqual(['small-model', first?.fine_tuned_model])

  const stages = loop.rounds.slice(1).flatMap((round) => round.stages)
  const trained = stages.filter(({ object }) => object === 'training')
  const models = await Promise.all(
    trained.map(async ({ ref }) => {
      const { model, usage } = await read<Training>(`/v1/trainings/${ref}`)
      expect(usage.cost).toBeCloseTo(0.0008, 12)
      return read<RegisteredModel>(`/v1/registered-models/${model}`)
    }),
  )
  expect(models.map(({ remote }) => remote?.name)).toEqual([
    first?.fine_tuned_model,
    second?.fine_tuned_model,
  ])
  const played = stages.filter(({ kind }) => kind === 'evaluate')
  for (const { ref } of played) {
    const run = await read<Run>(`/v1/runs/${ref}`)
    expect(run.episodes).toMatchObject({ total: 4, errored: 0 })
    expect(run.usage.cost).toBeGreaterThan(0)
  }

  const [model] = models
  const endpoint = await read<EndpointDetail>(`/v1/endpoints/${model?.endpoint}`)
  expect(endpoint).toMatchObject({
    origin: 'served',
    configuration: { kind: 'openai', base_url: server.address, model: first?.fine_tuned_model },
  })
  const answers = await read<ModelServer>(`/v1/registered-models/${model?.id}/serve`, {})
  expect(answers).toMatchObject({ driver: 'remote', state: 'running', address: server.address })
  await expect(read(`/v1/registered-models/${model?.id}/serve`, { context: 512 })).rejects.toThrow(
    'Leave context out',
  )
  await read(`/v1/registered-models/${model?.id}/stop`, {})
  await expect(read(`/v1/endpoints/${model?.endpoint}`)).rejects.toThrow('There is no endpoint')
})
