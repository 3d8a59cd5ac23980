import { expect, onTestFinished, test } from 'vitest'
import { wireLocalService } from '../../local/wire-local-service.ts'
import { endpointsFileSchema } from '../../shared/core/contracts/endpoint-configuration.ts'
import { ledgerKeys } from '../../shared/core/engine/keys.ts'
import { openLocalWorld } from '../../shared/core/world/local/open-local-world.ts'
import { toRequest } from '../support/open-test-engine.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const { endpoints } = endpointsFileSchema.parse({
  endpoints: { simulated: { kind: 'simulated', latency: 0 } },
})

test('a service that was killed as a whole while it played an episode alone blames nothing on it', async () => {
  const folder = await temporaryFolder()
  const world = await openLocalWorld({ folder })
  onTestFinished(() => world.close())
  const errors: unknown[] = []
  const { engine, models } = await wireLocalService({
    folder,
    world,
    endpoints: new Map(Object.entries(endpoints)),
    code: 'code',
    onError: (error) => errors.push(error),
  })
  onTestFinished(() => models.close())
  const request = toRequest({
    environment: 'textcraft',
    tasks: { limit: 1 },
    method: { id: 'react' },
    model: { endpoint: 'simulated', id: 'simulated' },
  })
  const runs = engine.runs.of('default')
  const { id: run } = await runs.create(request)
  const [{ id: episode } = { id: '' }] = (await runs.episodes(run, { limit: 1 })).data
  const at = new Date().toISOString()
  const deaths = ['one', 'two'].map((worker) => ({ worker, at, evidence: 'It was killed.' }))
  const set = { worker: 'three', alone_with: 'three', status: 'running', starts: 3, idle_starts: 3, deaths }
  await world.ledger.update({ key: ledgerKeys.episode(run, episode), set })
  await engine.runner.play({ body: { run, episode } }, true)
  const { result, starts } = await runs.episode(run, episode)
  expect({ starts, error: result?.error ?? null, errors }).toEqual({ starts: 4, error: null, errors: [] })
})
