import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Episode } from '../../shared/contracts/episode.ts'
import type { List } from '../../shared/contracts/list.ts'
import type { Run, RunRequestInput } from '../../shared/contracts/run.ts'
import type { Tree } from '../../shared/contracts/tree.ts'
import { childrenOf, type Started, startEspalier } from '../service/processes.ts'
import { request } from '../service/request.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { addMiniwob, playedTasks } from './miniwob-pages.ts'

const methods: readonly RunRequestInput['method'][] = [
  { id: 'react', max_steps: 6 },
  { id: 'mcts', value: 'none', iterations: 2, samples: 2, max_depth: 4 },
  { id: 'rmcts', value: 'judge', iterations: 2, branching: 2, proposals: 2, max_steps: 4, round_size: 8 },
]

test('40 tasks in Chromium, whose host is killed twice, come to the trees of undisturbed runs with every method', async () => {
  expect(new Set(playedTasks).size).toBe(40)
  const folder = await temporaryFolder()
  await addMiniwob(folder)
  const erring = { kind: 'simulated', skill: 0.8 }
  await writeFile(join(folder, 'endpoints.json'), JSON.stringify({ endpoints: { erring } }))
  const service = await startEspalier('serve', '--folder', folder, '--port', '0')

  const undisturbed = await Promise.all(methods.map((method) => create(service, method)))
  const ended = await Promise.all(undisturbed.map((id) => untilRun(service, id, hasEnded)))
  const calls = ended.reduce((sum, { usage }) => sum + usage.model_calls, 0)

  const disturbed = await Promise.all(methods.map((method) => create(service, method)))
  const killed: number[] = []
  for (const share of [1 / 3, 2 / 3]) {
    await untilCalls(service, disturbed, calls * share)
    killed.push(await killBrowserHost(service))
  }
  const runs = await Promise.all(disturbed.map((id) => untilRun(service, id, hasEnded)))
  expect(new Set(killed).size).toBe(2)

  for (const [at, run] of runs.entries()) {
    expect(run).toMatchObject({ status: 'succeeded', episodes: { total: 40, errored: 0 } })
    const { data } = await request<List<Episode>>(service, 'GET', `/v1/runs/${run.id}/episodes?limit=1000`)
    expect(data.every(({ result }) => result?.reward !== null)).toBe(true)
    for (const { id } of data) {
      const tree = (of = '') => request<Tree>(service, 'GET', `/v1/runs/${of}/episodes/${id}/tree`)
      expect(await tree(run.id)).toEqual(await tree(undisturbed[at]))
    }
    // Less would not show that searches find anything here.
    expect(data.filter(({ status }) => status === 'succeeded').length).toBeGreaterThan(20)
  }
  expect(await service.end('SIGTERM')).toBe(0)
  expect(await childrenOf(service)).toEqual([])
})

async function create(service: Started, method: RunRequestInput['method']): Promise<string> {
  const { id } = await request<Run>(service, 'POST', '/v1/runs', {
    environment: 'miniwob',
    method,
    tasks: { ids: [...playedTasks] },
    model: { endpoint: 'erring', id: 'simulated' },
    max_parallel: 8,
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
    await wait()
  }
}

async function untilCalls(service: Started, runs: readonly string[], least: number): Promise<void> {
  for (;;) {
    const now = await Promise.all(runs.map((id) => request<Run>(service, 'GET', `/v1/runs/${id}`)))
    expect(now.some(({ status }) => status === 'running')).toBe(true)
    if (now.reduce((sum, { usage }) => sum + usage.model_calls, 0) >= least) return
    await wait()
  }
}

/** Kills a host that holds sessions; where one was just killed, once its successor is there. */
async function killBrowserHost(service: Started): Promise<number> {
  for (;;) {
    for (const child of await childrenOf(service)) {
      const words = await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')
      if (!words.includes('containers/browser/')) continue
      process.kill(child, 'SIGKILL')
      return child
    }
    await wait()
  }
}

function wait(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 100))
}
