import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { LogEntry } from '../../functions/api/log.ts'
import { openService } from '../../local/open-service.ts'
import type { MethodInfo } from '../../shared/core/contracts/catalogue.ts'
import { endpointSchema } from '../../shared/core/contracts/endpoint-configuration.ts'
import type { Episode } from '../../shared/core/contracts/episode.ts'
import type { RunEstimate } from '../../shared/core/contracts/estimate.ts'
import type { List } from '../../shared/core/contracts/list.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** One path, with some code at each state. */
const pathMethod = (code = '', note = '') => `// ${note}
export const own = {
  id: 'own',
  description: 'One path.',
  parameters: { type: 'object', properties: { max_steps: { type: 'integer', minimum: 1 } } },
  branches: false,
  async play(scope, { max_steps = scope.defaultMaxSteps }) {
    let node = scope.tree.root
    while (!node.done && node.depth < max_steps) {
      ${code}
      const [proposal] = await scope.propose(node, { key: 'sample' })
      node = await scope.step(node, proposal)
    }
  },
}
`

const request = {
  environment: 'textcraft',
  method: { id: 'own', max_steps: 5 },
  tasks: { split: 'train', limit: 3 },
  model: { endpoint: 'simulated', id: 'simulated' },
}

/** A data folder whose methods.json has the method of a file beside it. */
async function folderWith(text: string | null): Promise<string> {
  const folder = await temporaryFolder()
  if (text !== null) await writeFile(join(folder, 'own.ts'), text)
  await name(folder, 'own.ts')
  return folder
}

const name = (folder: string, file: string) =>
  writeFile(join(folder, 'methods.json'), JSON.stringify({ methods: { own: { file: `./${file}` } } }))

async function open(folder: string, latency = 0) {
  const entries: LogEntry[] = []
  const service = await openService({
    folder,
    endpoints: new Map([['simulated', endpointSchema.parse({ kind: 'simulated', latency, skill: 0 })]]),
    log: (entry) => entries.push(entry),
  })
  onTestFinished(() => service.close({ grace: 0 }))
  async function call<Answer>(path: string, body?: unknown): Promise<Answer> {
    const headers = { 'Content-Type': 'application/json' }
    const init = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) }
    return (await (await service.app.request(new URL(path, service.address), init)).json()) as Answer
  }
  async function until(run: string, isSo: (run: Run) => boolean): Promise<Run> {
    for (;;) {
      const now = await call<Run>(`/v1/runs/${run}`)
      if (isSo(now)) return now
      await sleep(20)
    }
  }
  return { service, entries, call, until }
}

const hasEnded = ({ ended_at }: Run) => ended_at !== null

test('a method of methods.json is listed, estimated, played and shown as ours are', async () => {
  const { call, until } = await open(await folderWith(pathMethod()))
  const info = await call<MethodInfo>('/v1/methods/own')
  expect(info).toMatchObject({
    description: 'One path.',
    module: { file: './own.ts', digest: expect.stringMatching(/^[0-9a-f]{16}$/) },
    prompts: [{ id: 'react' }],
  })
  const estimate = await call<RunEstimate>('/v1/runs?dry_run=true', request)
  expect(estimate.per_episode.model_calls.at_most).toBe(5)
  expect(estimate.basis.model_calls).toContain(
    'At most: not known, as the method gives no figures of its own',
  )
  expect(await call('/v1/runs', { ...request, method: { id: 'own', max_step: 5 } })).toMatchObject({
    error: { code: 'unknown_field', message: expect.stringContaining('Did you mean "max_steps"') },
  })
  const { id } = await call<Run>('/v1/runs', request)
  const run = await until(id, hasEnded)
  expect(run).toMatchObject({
    status: 'succeeded',
    episodes: { errored: 0 },
    resolved: { module: info.module, horizon: { most: 5 } },
  })
})

test('what a method throws ends its own episodes, with the method and its file, and no others', async () => {
  const { call, until } = await open(
    await folderWith(pathMethod("if (node.depth === 1) throw new TypeError('no second action')")),
  )
  const [broken, other] = [
    await call<Run>('/v1/runs', request),
    await call<Run>('/v1/runs', { ...request, method: { id: 'react', max_steps: 3 } }),
  ]
  expect(await until(other.id, hasEnded)).toMatchObject({ status: 'succeeded', episodes: { errored: 0 } })
  expect(await until(broken.id, hasEnded)).toMatchObject({ status: 'failed', episodes: { errored: 3 } })
  const { data } = await call<List<Episode>>(`/v1/runs/${broken.id}/episodes`)
  expect(data[0]?.result).toMatchObject({
    reward: null,
    error: { name: 'TypeError', message: 'The method "own" (./own.ts): no second action' },
  })
})

test('a method that waits for a promise of its own ends as errored, and asks nothing afterwards', async () => {
  const { call, until } = await open(
    await folderWith(pathMethod('await new Promise((resolve) => setTimeout(resolve, 50))')),
  )
  const { id } = await call<Run>('/v1/runs', { ...request, max_retries: 0 })
  expect(await until(id, hasEnded)).toMatchObject({ status: 'failed' })
  const { data } = await call<List<Episode>>(`/v1/runs/${id}/episodes`)
  expect(data[0]?.result?.error?.message).toBe(
    'The method "own" (./own.ts) waits for something that is not an effect.',
  )
  await sleep(200)
  expect((await call<Run>(`/v1/runs/${id}`)).usage.model_calls).toBe(0)
})

test('a journal that another version of the file wrote is not continued: the episode starts afresh', async () => {
  const folder = await folderWith(pathMethod())
  await writeFile(join(folder, 'later.ts'), pathMethod('', 'the same, with other words'))
  const first = await open(folder, 60)
  const { id } = await first.call<Run>('/v1/runs', { ...request, method: { id: 'own', max_steps: 12 } })
  await first.until(id, ({ usage }) => usage.model_calls >= 4)
  await first.service.close({ grace: 0 })

  const again = await open(folder, 60)
  await again.until(id, ({ usage }) => usage.model_calls >= 7)
  await again.service.close({ grace: 0 })

  await name(folder, 'later.ts')
  const last = await open(folder)
  const run = await last.until(id, hasEnded)
  expect(run).toMatchObject({ status: 'succeeded', episodes: { errored: 0 } })
  const { data } = await last.call<List<Episode>>(`/v1/runs/${id}/episodes`)
  expect(data.map(({ result }) => result?.attempt)).toEqual([2, 2, 2])
})

test('a run whose method cannot be loaded waits with the reason, loses nothing, and goes on when it can be', async () => {
  const folder = await folderWith(pathMethod())
  const first = await open(folder, 60)
  const { id } = await first.call<Run>('/v1/runs', request)
  await first.until(id, ({ usage }) => usage.model_calls >= 4)
  await first.service.close({ grace: 0 })

  await name(folder, 'gone.ts')
  const without = await open(folder)
  const waiting = await without.until(id, ({ status }) => status === 'paused')
  expect(waiting.status_reason).toMatch(
    /The method "own" \(\.\/gone\.ts\) cannot be played.*cannot be loaded.*resume the run: nothing was lost/,
  )
  expect(without.entries).toContainEqual(
    expect.objectContaining({ event: 'method.unavailable', method: 'own' }),
  )
  expect(await without.call('/v1/runs', request)).toMatchObject({ error: { code: 'method_unavailable' } })
  const other = await without.call<Run>('/v1/runs', { ...request, method: { id: 'react', max_steps: 2 } })
  expect(await without.until(other.id, hasEnded)).toMatchObject({ status: 'succeeded' })
  await without.service.close({ grace: 0 })

  await name(folder, 'own.ts')
  const last = await open(folder)
  await last.call(`/v1/runs/${id}/resume`, {})
  expect(await last.until(id, hasEnded)).toMatchObject({ status: 'succeeded', episodes: { errored: 0 } })
  const { data } = await last.call<List<Episode>>(`/v1/runs/${id}/episodes`)
  expect(data.map(({ result }) => result?.attempt)).toEqual([1, 1, 1])
})
