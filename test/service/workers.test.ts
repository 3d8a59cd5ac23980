import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { LogEntry } from '../../functions/api/log.ts'
import { openService, type Service, type ServiceOptions } from '../../local/open-service.ts'
import { endpointSchema } from '../../shared/core/contracts/endpoint-configuration.ts'
import { type Episode, episodeId } from '../../shared/core/contracts/episode.ts'
import type { List } from '../../shared/core/contracts/list.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import { objectKeys } from '../../shared/core/engine/keys.ts'
import { joinLocalWorld } from '../../shared/core/world/local/join-local-world.ts'
import { flipBody } from '../core/world/local/flip-bits.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

interface Ended {
  status: string
  episodes: Run['episodes']
  lost_calls: number
}

const request = {
  environment: 'textcraft',
  method: { id: 'react' },
  tasks: { split: 'train', limit: 40 },
  model: { endpoint: 'simulated', id: 'simulated' },
  max_parallel: 16,
}

/** A service with workers and a model that takes its time, so that there is something to kill. */
async function openSupervised(options: Partial<ServiceOptions> = {}) {
  const folder = await temporaryFolder()
  const entries: LogEntry[] = []
  const service = await openService({
    folder,
    workers: 2,
    endpoints: new Map([['simulated', endpointSchema.parse({ kind: 'simulated', latency: 150 })]]),
    log: (entry) => entries.push(entry),
    ...options,
  })
  onTestFinished(() => service.close({ grace: 2 }))
  const logged = (event: string, kind?: string) =>
    entries.filter((entry) => entry.event === event && (kind === undefined || entry.kind === kind))
  async function until<Value>(what: () => Value | undefined | Promise<Value | undefined>): Promise<Value> {
    for (;;) {
      const value = await what()
      if (value !== undefined && value !== false) return value
      await sleep(50)
    }
  }
  const pid = async (kind: string, index: number) =>
    Number((await until(() => logged('worker.started', kind)[index])).pid)
  return { folder, service, entries, logged, until, pid, call: caller(service) }
}

function caller(service: Service) {
  return async <Answer>(path: string, body?: unknown): Promise<Answer> => {
    const headers = { 'Content-Type': 'application/json' }
    const init = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) }
    const answer = await service.app.request(new URL(path, service.address), init)
    if (!answer.ok) throw new Error(await answer.text())
    return (await answer.json()) as Answer
  }
}

const hasEnded = async (call: ReturnType<typeof caller>, run: string): Promise<Ended | undefined> => {
  const now = await call<Run>(`/v1/runs/${run}`)
  return now.ended_at === null ? undefined : now
}

/** How many workers play at most at a moment. */
const playing = async (call: ReturnType<typeof caller>) =>
  (await call<{ workers: { wanted: number; playing: number } }>('/health')).workers

describe('a service with workers', () => {
  test('plays with all of them, and says how many there are', async () => {
    const { call, until } = await openSupervised()
    await until(async () => (await playing(call)).playing === 2 || undefined)
    expect(await playing(call)).toEqual({ wanted: 2, playing: 2 })
    const run = await call<Run>('/v1/runs', request)
    const ended = await until(() => hasEnded(call, run.id))
    expect(ended.status).toBe('succeeded')
    expect(ended.episodes).toMatchObject({ total: 40, errored: 0 })
  })

  test('goes on with the episodes of a worker that is killed, and loses none', async () => {
    const { call, until, pid, logged } = await openSupervised()
    const run = await call<Run>('/v1/runs', request)
    for (const index of [0, 1, 2, 3]) {
      const victim = await pid('ordinary', index)
      // All of it takes more than twice as many calls as have been made by the last kill.
      const calls = 25 * (index + 1)
      await until(async () => (await call<Run>(`/v1/runs/${run.id}`)).usage.model_calls >= calls || undefined)
      process.kill(victim, 'SIGKILL')
      await until(() => logged('worker.ended')[index])
    }
    const ended = await until(() => hasEnded(call, run.id))
    expect(ended.status).toBe('succeeded')
    expect(ended.episodes).toMatchObject({ total: 40, errored: 0, cancelled: 0 })
    const { data } = await call<List<Episode>>(`/v1/runs/${run.id}/episodes?limit=100`)
    expect(data.every(({ result }) => typeof result?.reward === 'number')).toBe(true)
    expect(logged('worker.ended').map(({ evidence }) => evidence)).toEqual(
      Array.from({ length: 4 }, () => 'It was ended by SIGKILL.'),
    )
  })

  test('replaces a worker that stands still, and answers meanwhile', async () => {
    const { call, until, pid, logged } = await openSupervised({
      workerLimits: { memory: 2 ** 30, stall: 3000 },
    })
    const victim = await pid('ordinary', 0)
    await until(async () => (await playing(call)).playing === 2 || undefined)
    const run = await call<Run>('/v1/runs', request)
    process.kill(victim, 'SIGSTOP')
    await until(() => logged('worker.ended')[0])
    expect(logged('worker.ended')[0]?.evidence).toMatch(/^Its event loop stood still for \d+ s\.$/)
    const ended = await until(() => hasEnded(call, run.id))
    expect(ended.episodes).toMatchObject({ total: 40, errored: 0 })
  })

  test('replaces workers that take more memory than they may, and keeps answering when none can start', async () => {
    const { call, until, logged } = await openSupervised({ workerLimits: { memory: 64 * 2 ** 20 } })
    await until(() => logged('worker.ended')[2])
    expect(logged('worker.ended')[0]?.evidence).toMatch(/^It used \d+ MB of memory, of 67 MB allowed\.$/)
    expect(await call<Run>('/v1/runs', request)).toMatchObject({ status: 'queued' })
    expect((await playing(call)).wanted).toBe(2)
  })

  test('builds datasets in its workers', async () => {
    const { call, until } = await openSupervised()
    const run = await call<Run>('/v1/runs', { ...request, tasks: { split: 'train', limit: 4 } })
    await until(() => hasEnded(call, run.id))
    const { id } = await call<{ id: string }>('/v1/datasets', {
      runs: [run.id],
      parameters: { min_reward: 0 },
    })
    await until(
      async () => (await call<{ status: string }>(`/v1/datasets/${id}`)).status === 'succeeded' || undefined,
    )
  })

  test('counts the damage that its workers meet', async () => {
    const { call, folder, until } = await openSupervised()
    const run = await call<Run>('/v1/runs', { ...request, tasks: { split: 'train', limit: 1 } })
    await until(() => hasEnded(call, run.id))
    expect(await call('/health')).not.toHaveProperty('damaged')
    flipBody(folder, objectKeys.tree(run.id, episodeId(0)), 20)
    await call('/v1/datasets', { runs: [run.id], parameters: { min_reward: 0 } })
    await until(async () => (await call<{ damaged?: number }>('/health')).damaged)
  })

  test('plays what is to be played alone in a process of its own, which leaves with nothing more to do', async () => {
    const { folder, call, until, logged, pid } = await openSupervised()
    const run = await call<Run>('/v1/runs', { ...request, tasks: { split: 'train', limit: 1 } })
    const world = await joinLocalWorld({
      folder,
      name: 'look',
      sharing: { onRing: () => undefined },
      holder: process.pid,
    })
    await world.queues.alone.send([{ body: { run: run.id, episode: episodeId(0) }, group: run.id }])
    await world.close()
    const solo = await pid('solo', 0)
    const ended = await until(() => hasEnded(call, run.id))
    expect(ended.episodes.errored).toBe(0)
    await until(() => !isThere(solo) || undefined)
    expect(logged('worker.ended')).toEqual([])
  })

  test('ends an episode that kills its process three times alone, with the evidence of each', async () => {
    const { folder, call, until, pid } = await openSupervised({
      workerLimits: { memory: 2 ** 30, stall: 300_000 },
      endpoints: new Map([['simulated', endpointSchema.parse({ kind: 'simulated', latency: 30_000 })]]),
    })
    const ordinary = [await pid('ordinary', 0), await pid('ordinary', 1)]
    await until(async () => (await playing(call)).playing === 2 || undefined)
    for (const each of ordinary) process.kill(each, 'SIGSTOP')
    const run = await call<Run>('/v1/runs', { ...request, tasks: { split: 'train', limit: 1 } })
    const world = await joinLocalWorld({
      folder,
      name: 'look',
      sharing: { onRing: () => undefined },
      holder: process.pid,
    })
    await world.queues.alone.send([{ body: { run: run.id, episode: episodeId(0) }, group: run.id }])
    for (const index of [0, 1, 2]) {
      const solo = await pid('solo', index)
      await until(async () => {
        const { data } = await call<List<Episode>>(`/v1/runs/${run.id}/episodes`)
        return data[0]?.status === 'running' || undefined
      })
      process.kill(solo, 'SIGKILL')
      await until(() => !isThere(solo) || undefined)
    }
    await world.close()
    const ended = await until(() => hasEnded(call, run.id))
    expect(ended.episodes.errored).toBe(1)
    const { data } = await call<List<Episode>>(`/v1/runs/${run.id}/episodes`)
    expect(data[0]?.result?.error?.message.match(/It was ended by SIGKILL/g)).toHaveLength(3)
    for (const each of ordinary) process.kill(each, 'SIGCONT')
  })

  test('takes its workers with it when it closes', async () => {
    const { service, pid } = await openSupervised()
    const pids = [await pid('ordinary', 0), await pid('ordinary', 1)]
    await service.close({ grace: 1 })
    expect(pids.filter(isThere)).toEqual([])
  })
})

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
