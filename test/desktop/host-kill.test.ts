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

const tasks = ['terminal-rename-folder', 'terminal-archive']
const methods: readonly RunRequestInput['method'][] = [
  { id: 'react', max_steps: 5 },
  { id: 'mcts', value: 'none', iterations: 2, samples: 2, max_depth: 3 },
  { id: 'rmcts', value: 'judge', iterations: 2, branching: 2, proposals: 2, max_steps: 2 },
]

test('tasks on desktops are played to a clean end by every search, and to the same trees when their host is killed', async () => {
  const folder = await temporaryFolder()
  const endpoints = { erring: { kind: 'simulated', skill: 0.8 } }
  await writeFile(join(folder, 'endpoints.json'), JSON.stringify({ endpoints }))
  const service = await startEspalier('serve', '--folder', folder, '--port', '0')

  const undisturbed: Run[] = []
  for (const method of methods) undisturbed.push(await untilEnded(service, await create(service, method)))
  for (const run of undisturbed) {
    expect(run).toMatchObject({ status: 'succeeded', episodes: { total: tasks.length, errored: 0 } })
  }

  const killed: number[] = []
  const disturbed: Run[] = []
  for (const [at, method] of methods.entries()) {
    const id = await create(service, method)
    await untilCalls(service, id, (undisturbed[at]?.usage.model_calls ?? 0) / 2)
    killed.push(await killDesktopHost(service))
    disturbed.push(await untilEnded(service, id))
  }
  expect(new Set(killed).size).toBe(methods.length)
  for (const [at, run] of disturbed.entries()) {
    expect(run).toMatchObject({ status: 'succeeded', episodes: { total: tasks.length, errored: 0 } })
    const { data } = await request<List<Episode>>(service, 'GET', `/v1/runs/${run.id}/episodes`)
    for (const { id } of data) {
      const tree = (of = '') => request<Tree>(service, 'GET', `/v1/runs/${of}/episodes/${id}/tree`)
      expect(await tree(run.id)).toEqual(await tree(undisturbed[at]?.id))
    }
  }
  expect(await service.end('SIGTERM')).toBe(0)
  expect(await childrenOf(service)).toEqual([])
})

async function create(service: Started, method: RunRequestInput['method']): Promise<string> {
  const model = { endpoint: 'erring', id: 'simulated' }
  const body = { environment: 'desktop', tasks: { ids: tasks }, method, model, max_parallel: 2 }
  return (await request<Run>(service, 'POST', '/v1/runs', body)).id
}

async function untilEnded(service: Started, id: string): Promise<Run> {
  for (;;) {
    const run = await request<Run>(service, 'GET', `/v1/runs/${id}`)
    if (run.ended_at !== null) return run
    await wait()
  }
}

async function untilCalls(service: Started, id: string, least: number): Promise<void> {
  for (;;) {
    const run = await request<Run>(service, 'GET', `/v1/runs/${id}`)
    expect(run.ended_at).toBeNull()
    if (run.usage.model_calls >= least) return
    await wait()
  }
}

async function killDesktopHost(service: Started): Promise<number> {
  for (;;) {
    for (const child of await childrenOf(service)) {
      if (!(await commandOf(child)).includes('shared/environments/desktop/host/')) continue
      process.kill(child, 'SIGKILL')
      return child
    }
    await wait()
  }
}

async function commandOf(process: number): Promise<string> {
  return readFile(`/proc/${process}/cmdline`, 'utf8').catch(() => '')
}

function wait(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 100))
}
