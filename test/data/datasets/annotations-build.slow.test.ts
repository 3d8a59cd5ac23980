import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { openService, type Service } from '../../../local/open-service.ts'
import type { Dataset, LineageRow } from '../../../shared/core/contracts/dataset.ts'
import type { List } from '../../../shared/core/contracts/list.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** A service, and requests to it. */
async function openPlayed() {
  const service = await openService({ folder: await temporaryFolder(), log: () => undefined })
  onTestFinished(() => service.close({ grace: 1 }))
  const ask = asking(service)
  const { id } = await ask<Run>('POST', '/v1/runs', {
    environment: 'textcraft',
    tasks: { split: 'train', limit: 4 },
    method: { id: 'mcts', iterations: 6, samples: 3, max_depth: 12 },
    model: { endpoint: 'simulated', id: 'simulated' },
  })
  await until(
    () => ask<Run>('GET', `/v1/runs/${id}`),
    ({ ended_at }) => ended_at !== null,
  )
  return { ask, run: id }
}

function asking({ app }: Service) {
  return async function ask<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const headers = { 'content-type': 'application/json', host: 'localhost' }
    const response = await app.request(path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    if (response.status >= 400) throw new Error(`${method} ${path}: ${await response.text()}`)
    if (response.headers.get('content-type')?.includes('gzip')) {
      return gunzipSync(Buffer.from(await response.arrayBuffer()))
        .toString('utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)) as Answer
    }
    return (await response.json()) as Answer
  }
}

async function until<Value>(look: () => Promise<Value>, holds: (value: Value) => boolean): Promise<Value> {
  for (;;) {
    const value = await look()
    if (holds(value)) return value
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

test('a dataset of revisions asks who judges each step, waits where a limit is reached, and is built of the answers', async () => {
  const { ask, run } = await openPlayed()
  const request = { runs: [run], kind: 'revision', format: 'trl', parameters: { max_per_tree: 4 } }
  const { id } = await ask<Dataset>('POST', '/v1/datasets', { ...request, limits: { tokens: 3000 } })
  const look = () => ask<Dataset>('GET', `/v1/datasets/${id}`)
  const waiting = await until(look, ({ warnings, status }) => warnings.length > 0 || status === 'failed')
  expect(waiting).toMatchObject({ status: 'running', error: null, progress: { phase: 'asking' } })
  expect(waiting.warnings.join()).toContain('limits.tokens reached')
  const asked = waiting.annotation_run as string
  await ask<Run>('POST', `/v1/runs/${asked}/resume`, { limits: { tokens: 10_000_000 } })
  const built = await until(look, ({ status }) => status === 'succeeded' || status === 'failed')
  expect(built).toMatchObject({ status: 'succeeded', annotation_run: asked })
  expect(built.rows).toBeGreaterThan(0)
  const annotations = await ask<Run>('GET', `/v1/runs/${asked}`)
  expect(annotations).toMatchObject({
    status: 'succeeded',
    episodes: { total: 4, succeeded: 4 },
    request: { method: { id: 'judge-steps', dataset: id, kind: 'revision' } },
  })
  expect(annotations.usage.model_calls).toBeGreaterThan(0)
  const files = await ask<List<{ name: string; url: string }>>('GET', `/v1/datasets/${id}/files`)
  const lineage = files.data.find(({ name }) => name.startsWith('lineage-'))
  const rows = await ask<LineageRow[]>(
    'GET',
    new URL(lineage?.url ?? '').pathname + new URL(lineage?.url ?? '').search,
  )
  expect(rows).toHaveLength(built.rows)
  for (const { origin, other } of rows) {
    expect(origin.source).toBe(run)
    expect((origin.reward ?? 0) - (other?.reward ?? 1)).toBeGreaterThan(0.2)
  }
  // What asked is no attempt at a task: nothing is built of it.
  const empty = await ask<Dataset>('POST', '/v1/datasets', { runs: [asked], kind: 'sft' })
  const none = await until(
    () => ask<Dataset>('GET', `/v1/datasets/${empty.id}`),
    ({ status }) => status === 'succeeded' || status === 'failed',
  )
  expect(none).toMatchObject({ status: 'succeeded', rows: 0, left_out: { learned: 4 } })
}, 180_000)
