import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Episode } from '../../shared/core/contracts/episode.ts'
import type { List } from '../../shared/core/contracts/list.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { childrenOf, type Started, startEspalier } from './processes.ts'
import { request } from './request.ts'

const episodes = 50
const kills = 2

test('50 episodes whose host is killed twice go on elsewhere, and leave the trees of an undisturbed run', async () => {
  const folder = await temporaryFolder()
  const slow = { kind: 'simulated', skill: 0.6, latency: 200 }
  await writeFile(join(folder, 'endpoints.json'), JSON.stringify({ endpoints: { slow } }))
  const service = await startEspalier('serve', '--folder', folder, '--port', '0')
  const undisturbed = await create(service, 'worker')
  const { usage } = await untilRun(service, undisturbed, hasEnded)

  const disturbed = await create(service, 'host')
  const killed: number[] = []
  for (let kill = 1; kill <= kills; kill += 1) {
    const share = (usage.model_calls * kill) / (kills + 1)
    await untilRun(service, disturbed, (run) => run.usage.model_calls >= share)
    killed.push(await killHost(service))
    const { status } = await request<Run>(service, 'GET', `/v1/runs/${disturbed}`)
    expect(status).toBe('running')
  }
  const run = await untilRun(service, disturbed, hasEnded)
  expect(run.status).toBe('succeeded')
  expect(run.episodes.errored).toBe(0)
  expect(new Set(killed).size).toBe(kills)
  const { data } = await request<List<Episode>>(service, 'GET', `/v1/runs/${disturbed}/episodes?limit=1000`)
  expect(data).toHaveLength(episodes)
  expect(data.every(({ errors, result }) => errors === 0 && result?.reward !== null)).toBe(true)
  for (const { id } of data) {
    const tree = (of: string) => request<unknown>(service, 'GET', `/v1/runs/${of}/episodes/${id}/tree`)
    expect(await tree(disturbed)).toEqual(await tree(undisturbed))
  }
  expect(await service.end('SIGTERM')).toBe(0)
  expect(await childrenOf(service)).toEqual([])
})

async function create(service: Started, hosting: 'worker' | 'host'): Promise<string> {
  const { id } = await request<Run>(service, 'POST', '/v1/runs', {
    environment: 'textcraft',
    hosting,
    method: { id: 'mcts', iterations: 2, samples: 3, max_depth: 8 },
    tasks: { split: 'test', limit: episodes },
    model: { endpoint: 'slow', id: 'simulated' },
    max_parallel: episodes,
  })
  return id
}

function hasEnded({ ended_at }: Run): boolean {
  return ended_at !== null
}

async function untilRun(service: Started, id: string, isSo: (run: Run) => boolean): Promise<Run> {
  for (;;) {
    const run = await request<Run>(service, 'GET', `/v1/runs/${id}`)
    if (isSo(run)) return run
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Kills the host that holds the sessions; where another was just killed, once its successor is there. */
async function killHost(service: Started): Promise<number> {
  for (;;) {
    const [host] = await childrenOf(service)
    if (host !== undefined) {
      process.kill(host, 'SIGKILL')
      return host
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
