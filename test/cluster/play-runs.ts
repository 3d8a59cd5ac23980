import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Episode, EpisodeError } from '../../shared/core/contracts/episode.ts'
import type { List } from '../../shared/core/contracts/list.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import { type Started, startEspalier } from '../service/processes.ts'
import { request } from '../service/request.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** US dollars per million tokens, and per call. */
const price = { input: 1, output: 2, request: 0.001 }

const small = { iterations: 4, proposals: 4, branching: 3, verdicts: 3 }
export interface WantedRun {
  method: { id: string; [parameter: string]: unknown }
  tasks: number
  hosting?: 'host'
  seed?: number
}

export const wanted: readonly WantedRun[] = [
  { method: { id: 'react' }, tasks: 40 },
  { method: { id: 'mcts', iterations: 4, samples: 3, max_depth: 12 }, tasks: 12 },
  { method: { id: 'rmcts', ...small }, tasks: 8 },
]

const hosted: WantedRun = { method: { id: 'react' }, tasks: 8, hosting: 'host' }

/** Times 68 episodes, as many as CLUSTER_EPISODES asks. */
export const clusterRounds = Math.ceil(Number(process.env.CLUSTER_EPISODES ?? 68) / 68)

export const wantedWithHosts: readonly WantedRun[] = Array.from({ length: clusterRounds }, (_, seed) =>
  [hosted, ...wanted].map((run) => ({ ...run, seed })),
).flat()

interface Stats {
  calls: number
  unique_calls: number
  input_tokens: number
  output_tokens: number
}

export interface Played {
  run: Run
  /** The episodes whose ends the stream of events reports. */
  ends: string[]
  trees: Record<string, string>
  errors: ({ episode: string } & EpisodeError)[]
}

export async function startModel() {
  const model = await startEspalier('simulate', '--port', '0', '--skill', '0.6', '--latency', '30')
  const { base_url, call_log_url, stats_url } = model.first as Record<string, string>
  const endpoint = { kind: 'openai', base_url, call_log_url, prices: { '*': price } }
  const folder = await temporaryFolder()
  const endpoints = JSON.stringify({ endpoints: { remote: endpoint } })
  await writeFile(join(folder, 'endpoints.json'), endpoints)
  return { folder, endpoints, stats: stats_url ?? '' }
}

export async function submitAll(service: Started, runs: readonly WantedRun[] = wanted): Promise<string[]> {
  const ids: string[] = []
  for (const { method, tasks, ...more } of runs) {
    const { id } = await request<Run>(service, 'POST', '/v1/runs', {
      environment: 'textcraft',
      method,
      ...more,
      tasks: { split: 'test', limit: tasks },
      model: { endpoint: 'remote', id: 'simulated' },
      limits: { cost: 100 },
    })
    ids.push(id)
  }
  return ids
}

/** @param disturb called whenever another eighth of the episodes has ended */
export async function playAll(
  service: Started,
  disturb: () => Promise<void>,
  runs: readonly WantedRun[] = wanted,
): Promise<Played[]> {
  return finishAll(service, await submitAll(service, runs), disturb)
}

export async function finishAll(
  service: Started,
  ids: readonly string[],
  disturb: () => Promise<void>,
): Promise<Played[]> {
  for (let eighths = 1; ; ) {
    const runs = await Promise.all(ids.map((id) => request<Run>(service, 'GET', `/v1/runs/${id}`)))
    const total = runs.reduce((sum, { episodes }) => sum + episodes.total, 0)
    if (runs.every(({ ended_at }) => ended_at !== null)) break
    const ended = runs.reduce((sum, { episodes }) => sum + episodes.succeeded + episodes.failed, 0)
    if (ended * 8 >= total * eighths) {
      eighths += 1
      await disturb()
    } else await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return Promise.all(ids.map((id) => look(service, id)))
}

async function look(service: Started, id: string): Promise<Played> {
  const run = await request<Run>(service, 'GET', `/v1/runs/${id}`)
  const { data } = await request<List<Episode>>(service, 'GET', `/v1/runs/${id}/episodes?limit=100`)
  const trees: Record<string, string> = {}
  for (const episode of data) {
    const answer = await fetch(`${service.first.address}/v1/runs/${id}/episodes/${episode.id}/tree`)
    trees[episode.id] = await answer.text()
  }
  const text = await (await fetch(`${service.first.address}/v1/runs/${id}/events`)).text()
  const ends = [...text.matchAll(/^event: episode\.ended\ndata: (.*)$/gm)].map(
    (match) => JSON.parse(match[1] as string).episode as string,
  )
  const errors = data.flatMap(({ id: episode, result }) =>
    result?.error ? [{ episode, ...result.error }] : [],
  )
  return { run, ends, trees, errors }
}

function costOf({ calls, input_tokens, output_tokens }: Stats): number {
  return calls * price.request + (input_tokens * price.input + output_tokens * price.output) / 1e6
}

/** Every episode ended once with the tree of the local world. */
export function expectTrees(played: readonly Played[], expected: readonly Played[]): void {
  expect(played).toHaveLength(expected.length)
  for (const [place, { run, ends, trees, errors }] of played.entries()) {
    const name = run.request.method.id
    expect(run.status, name).toBe('succeeded')
    expect(errors, name).toEqual([])
    expect(ends.toSorted(), name).toEqual(Object.keys(trees).toSorted())
    expect(trees, name).toEqual(expected[place]?.trees)
  }
}

/** As {@link expectTrees}, and the money is that of the endpoint's own log. */
export async function expectSame(
  service: Started,
  played: Played[],
  expected: Played[],
  statsUrl: string,
): Promise<void> {
  expectTrees(played, expected)
  const stats = (await (await fetch(statsUrl)).json()) as Stats
  const sum = async (of: (run: Run) => number) => {
    const runs = played.map(({ run: { id } }) => request<Run>(service, 'GET', `/v1/runs/${id}`))
    return (await Promise.all(runs)).reduce((total, run) => total + of(run), 0)
  }
  // The sweeper counts the calls of killed workers, which may be after the ends of the runs.
  await expect.poll(() => sum(({ usage }) => usage.model_calls), { timeout: 120_000 }).toBe(stats.calls)
  const lost = await sum(({ lost_calls }) => lost_calls)
  console.log(`${stats.calls} calls at the server, ${lost} of them lost in flight`)
  expect(await sum(({ usage }) => usage.cost ?? 0)).toBeCloseTo(costOf(stats), 9)
}

/** The trees of the same runs in the local world, played without harm. */
export async function playLocally(runs: readonly WantedRun[] = wanted): Promise<Played[]> {
  const alone = await startModel()
  const local = await startEspalier('serve', '--folder', alone.folder, '--port', '0', '--workers', '1')
  const expected = await finishAll(local, await submitAll(local, runs), async () => undefined)
  await local.end('SIGTERM')
  return expected
}
