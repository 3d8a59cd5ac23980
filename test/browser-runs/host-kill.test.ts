import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Episode } from '../../shared/core/contracts/episode.ts'
import type { List } from '../../shared/core/contracts/list.ts'
import type { Run, RunRequestInput } from '../../shared/core/contracts/run.ts'
import type { Tree } from '../../shared/core/contracts/tree.ts'
import { childrenOf, type Started, startEspalier } from '../service/processes.ts'
import { request } from '../service/request.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { addMiniwob, playedTasks } from './miniwob-pages.ts'

/** What is played, with each method over it: small pages, and tasks on whole sites. */
const played: readonly Pick<RunRequestInput, 'environment' | 'tasks' | 'method'>[] = [
  ...over('miniwob', playedTasks, [
    { id: 'react', max_steps: 6 },
    { id: 'mcts', value: 'none', iterations: 2, samples: 2, max_depth: 4 },
    { id: 'rmcts', value: 'judge', iterations: 2, branching: 2, proposals: 2, max_steps: 4, round_size: 8 },
  ]),
  ...over('sites', siteTasks(), [
    { id: 'react', max_steps: 6 },
    { id: 'mcts', value: 'none', iterations: 1, samples: 2, max_depth: 4 },
    {
      id: 'rmcts',
      value: 'judge',
      plan: 'whole-task',
      iterations: 3,
      branching: 2,
      proposals: 2,
      max_steps: 4,
      round_size: 12,
    },
  ]),
]

test('40 pages and 12 tasks on sites, whose host is killed twice and their Chromium once, come to the trees of undisturbed runs with every method', async () => {
  expect(new Set(playedTasks).size).toBe(40)
  expect(new Set(siteTasks()).size).toBe(12)
  const folder = await temporaryFolder()
  await addMiniwob(folder)
  const erring = { kind: 'simulated', skill: 0.8 }
  await writeFile(join(folder, 'endpoints.json'), JSON.stringify({ endpoints: { erring } }))
  const service = await startEspalier('serve', '--folder', folder, '--port', '0')

  const undisturbed = await Promise.all(played.map((each) => create(service, each)))
  const ended = await Promise.all(undisturbed.map((id) => untilRun(service, id, hasEnded)))
  const calls = ended.reduce((sum, { usage }) => sum + usage.model_calls, 0)

  const disturbed = await Promise.all(played.map((each) => create(service, each)))
  const killed: number[] = []
  const kills = [killBrowserHost, killChromium, killBrowserHost]
  for (const [at, kill] of kills.entries()) {
    await untilCalls(service, disturbed, (calls * (at + 1)) / (kills.length + 1))
    killed.push(await kill(service))
  }
  const runs = await Promise.all(disturbed.map((id) => untilRun(service, id, hasEnded)))
  expect(new Set(killed).size).toBe(3)

  for (const [at, run] of runs.entries()) {
    const total = ended[at]?.episodes.total ?? 0
    expect(run).toMatchObject({ status: 'succeeded', episodes: { total, errored: 0 } })
    const { data } = await request<List<Episode>>(service, 'GET', `/v1/runs/${run.id}/episodes?limit=1000`)
    expect(data.every(({ result }) => result?.reward !== null)).toBe(true)
    for (const { id } of data) {
      const tree = (of = '') => request<Tree>(service, 'GET', `/v1/runs/${of}/episodes/${id}/tree`)
      expect(await tree(run.id)).toEqual(await tree(undisturbed[at]))
    }
    // Less would not show that searches find anything here.
    const solved = data.filter(({ status }) => status === 'succeeded').length
    expect(solved).toBeGreaterThan(total / (run.request.environment === 'sites' ? 3 : 2))
  }
  expect(await service.end('SIGTERM')).toBe(0)
  expect(await childrenOf(service)).toEqual([])
})

function over(
  environment: string,
  ids: readonly string[],
  methods: readonly RunRequestInput['method'][],
): Pick<RunRequestInput, 'environment' | 'tasks' | 'method'>[] {
  return methods.map((method) => ({ environment, tasks: { ids: [...ids] }, method }))
}

/** Of each site, and none long: facts, comparisons, what others wrote, a vote, an ad that is watched, and one that cannot be done. */
function siteTasks(): string[] {
  return [
    ...[0, 2, 6, 19, 32].map((task) => `shopping/${task}`),
    ...[34, 36, 42].map((task) => `reddit/${task}`),
    ...[61, 63, 67, 78].map((task) => `classifieds/${task}`),
  ]
}

async function create(service: Started, each: (typeof played)[number]): Promise<string> {
  const model = { endpoint: 'erring', id: 'simulated' }
  const { id } = await request<Run>(service, 'POST', '/v1/runs', {
    ...each,
    model,
    // Sites are larger pages: more of them at once wait for each other.
    ...(each.environment === 'sites' ? { roles: { judge: model }, max_parallel: 2 } : { max_parallel: 6 }),
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
    if (now.reduce((sum, { usage }) => sum + usage.model_calls, 0) >= least) return
    expect(now.some(({ status }) => status === 'queued' || status === 'running')).toBe(true)
    await wait()
  }
}

/** Kills a host that holds sessions; where one was just killed, once its successor is there. */
async function killBrowserHost(service: Started): Promise<number> {
  const { pid } = await untilChromium(service)
  process.kill(pid, 'SIGKILL')
  return pid
}

/** Kills the browser of a host, in the middle of actions and replays, and leaves the host. */
async function killChromium(service: Started): Promise<number> {
  const { chromium } = await untilChromium(service)
  process.kill(chromium, 'SIGKILL')
  return chromium
}

/** A host of browsers and its Chromium, once both are there. */
async function untilChromium(service: Started): Promise<{ pid: number; chromium: number }> {
  for (;;) {
    for (const pid of await childrenOf(service)) {
      if (!(await wordsOf(pid)).includes('containers/browser/')) continue
      for (const chromium of await childrenOf({ child: { pid } }))
        if (/chrom/.test(await wordsOf(chromium))) return { pid, chromium }
    }
    await wait()
  }
}

function wordsOf(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
}

function wait(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 100))
}
