import { afterEach, describe, expect, test } from 'vitest'
import { rowExample } from '../../functions/api/openapi/trajectory-examples.ts'
import { openKeys } from '../../shared/core/auth/open-keys.ts'
import type { Dataset } from '../../shared/core/contracts/dataset.ts'
import { type Episode, episodeId } from '../../shared/core/contracts/episode.ts'
import type { List } from '../../shared/core/contracts/list.ts'
import type { Run, RunRequestInput } from '../../shared/core/contracts/run.ts'
import type { TrajectoryImport } from '../../shared/core/contracts/trajectory-import.ts'
import type { TranscriptHits } from '../../shared/core/contracts/transcript-search.ts'
import { segmentKey } from '../../shared/core/engine/journal-keys.ts'
import { objectKeys } from '../../shared/core/engine/keys.ts'
import { seededRandom } from '../../shared/core/random/seeded-random.ts'
import { noFaults, spreadFaults } from './emulators/fault-proxy.ts'
import { asTenant } from './lambda/as-tenant.ts'
import { openStage, type Stage } from './lambda/open-stage.ts'
import { isAccount } from './not-shown.ts'
import { openLocalApi } from './open-local-api.ts'

const endpoints = { simulated: { kind: 'simulated', skill: 0.5, latency: 100, latency_spread: 80 } }
const episodes = 50
const request: RunRequestInput = {
  environment: 'textcraft',
  tasks: { split: 'test', limit: episodes },
  method: { id: 'mcts', iterations: 2, samples: 2, max_depth: 8 },
  model: { endpoint: 'simulated', id: 'simulated' },
  max_parallel: 32,
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Downloads until it works: the signed address leads through the faults too. */
async function download(url: string): Promise<Uint8Array> {
  for (;;) {
    const answer = await fetch(url).catch(() => null)
    if (answer?.ok) return answer.bytes()
  }
}

/** What was played is of the split for tests, and some of it alike. */
const gates = { held_out: 'keep', duplicates: 'keep' }

type Get = Awaited<ReturnType<typeof asTenant>>['get']

async function untilBuilt(get: Get, id: string): Promise<Dataset> {
  for (;;) {
    const dataset = await get<Dataset>(`/v1/datasets/${id}`)
    if (dataset.status === 'succeeded' || dataset.status === 'failed') return dataset
    await pause(300)
  }
}

/** What a search finds in a run once all of it is indexed, without the run's name. */
async function allFound(get: Get, run: string) {
  for (;;) {
    const hits = await get<TranscriptHits>(
      `/v1/transcripts?q=craft*+planks&kind=answer&run=${run}&limit=1000`,
    )
    if (hits.not_indexed > 0) continue
    return hits.data.map(({ episode, node, snippet, task }) => ({ episode, node, snippet, task }))
  }
}

/** A stage where nothing goes wrong. */
const calm = { faults: { seed: 0, rates: noFaults }, isTwice: () => false, milliseconds: 900_000 }

const ids = Array.from({ length: episodes }, (_, index) => episodeId(index))

if (isAccount)
  console.log('not shown: a whole stage (its functions run over the emulators alone; deploy one to see it)')

describe.runIf(!isAccount)('a stage whose functions run as Lambda runs them', () => {
  let stage: Stage
  afterEach(() => stage.close())

  test('plays a run with a fifth of everything going wrong: each result once, the trees of one machine, a dataset', async () => {
    const chance = seededRandom('faults', 1)
    stage = await openStage({
      endpoints: { endpoints },
      faults: { seed: 1, rates: spreadFaults(0.2) },
      isTwice: () => chance() < 0.2,
      // Each invocation stops of itself after fifteen seconds, and its episodes go on in another.
      milliseconds: 75_000,
    })
    const { events, get, post } = await asTenant(stage, 'acme')
    const { id } = await post<Run>('/v1/runs', request)
    let run = await get<Run>(`/v1/runs/${id}`)
    for (let killed = 0; run.ended_at === null; run = await get<Run>(`/v1/runs/${id}`)) {
      // The run's own counts may come late.
      const { data } = await get<List<Episode>>(`/v1/runs/${id}/episodes?limit=1000`)
      const ended = data.filter(({ result }) => result !== null).length
      if (killed < 2 && ended >= 1 + 10 * killed && stage.pool.kill('advance-episodes')) killed += 1
      await pause(300)
    }
    expect(stage.pool.killed).toBeGreaterThanOrEqual(1)
    expect(run).toMatchObject({
      status: 'succeeded',
      episodes: { total: episodes, errored: 0, cancelled: 0 },
    })

    const ends = (await events(id)).filter(({ type }) => type === 'episode.ended')
    expect(ends.map((event) => ('episode' in event ? event.episode : '')).toSorted()).toEqual(ids)

    const local = await openLocalApi(endpoints)
    const alone = await local.play(request)
    for (const episode of ids) {
      const tree = await stage.world.objects.get(objectKeys.tree(id, episode))
      expect(Buffer.from(tree?.body ?? []).toString(), episode).toBe(await local.tree(alone.id, episode))
    }
    expect(run.usage.model_calls).toBeGreaterThanOrEqual(alone.usage.model_calls)

    const there = await allFound(get, id)
    expect(there.length).toBeGreaterThan(episodes)
    expect(there).toEqual(await allFound(local.get, alone.id))

    const { id: dataset } = await post<Dataset>('/v1/datasets', { runs: [id], gates })
    const built = await untilBuilt(get, dataset)
    expect(built).toMatchObject({ status: 'succeeded', error: null, rows: run.episodes.succeeded })
    const { data } = await get<{ data: { url: string; bytes: number }[] }>(`/v1/datasets/${dataset}/files`)
    for (const { bytes, url } of data) expect(await download(url)).toHaveLength(bytes)

    for (const { faults, service } of stage.proxies) console.log(service, JSON.stringify(faults))
    console.log(
      `${run.usage.model_calls} calls counted, ${run.lost_calls} of them lost; one machine: ${alone.usage.model_calls}`,
    )
  }, 900_000)

  test('builds datasets of what was played elsewhere, and of what a model says of a run, whatever goes wrong', async () => {
    const chance = seededRandom('faults', 2)
    const wrong = {
      faults: { seed: 2, rates: spreadFaults(0.2) },
      isTwice: () => chance() < 0.2,
      milliseconds: 75_000,
    }
    stage = await openStage({ ...wrong, endpoints: { endpoints } })
    const { get, post, send } = await asTenant(stage, 'acme')
    const rows = Array.from({ length: 300 }, (_, index) => ({ ...rowExample, item_id: `textcraft_${index}` }))
    const imported = await send<TrajectoryImport>(
      '/v1/trajectories?format=agenttraj&reward=1',
      rows.map((row) => JSON.stringify(row)).join('\n'),
    )
    expect(imported).toMatchObject({ status: 'complete', trajectories: 300, rejected: 0 })
    stage.pool.killNext('build-dataset', 2, 100)
    const experts = await post<Dataset>('/v1/datasets', { trajectories: [imported.id], format: 'trl', gates })
    const taken = await untilBuilt(get, experts.id)
    expect(taken).toMatchObject({ status: 'succeeded', error: null, rows: 300, progress: { parts: 2 } })
    expect(stage.pool.killed).toBe(2)

    const played = await post<Run>('/v1/runs', {
      ...request,
      tasks: { split: 'train', limit: 4 },
      method: { id: 'mcts', iterations: 6, samples: 3, max_depth: 12 },
    })
    for (let run = played; run.ended_at === null; await pause(300)) run = await get<Run>(`/v1/runs/${run.id}`)
    const asking = { runs: [played.id], kind: 'revision', format: 'trl', gates }
    const revised = await untilBuilt(get, (await post<Dataset>('/v1/datasets', asking)).id)
    expect(revised).toMatchObject({ status: 'succeeded', error: null })
    expect(revised.rows).toBeGreaterThan(0)
    const asked = await get<Run>(`/v1/runs/${revised.annotation_run}`)
    expect(asked).toMatchObject({ status: 'succeeded', episodes: { total: 4, succeeded: 4 } })
    expect(asked.usage.model_calls).toBeGreaterThan(0)

    for (const { id } of [taken, revised]) {
      const leftovers = async () => (await stage.world.objects.list(`datasets/${id}/parts/`)).objects
      await expect.poll(leftovers).toEqual([])
    }
  }, 900_000)

  test('ends an episode that cannot be played as errored with the cause, by the dead letters, and plays it again on retry', async () => {
    stage = await openStage({ ...calm, endpoints: { endpoints } })
    const { get, key, post } = await asTenant(stage, 'acme')
    const { id } = await post<Run>('/v1/runs', { ...request, tasks: { split: 'test', limit: 3 } })
    const torn = segmentKey(objectKeys.journal(id, episodeId(1), 1), 1)
    await stage.world.objects.put(torn, Buffer.from('not a journal'))
    let run = await get<Run>(`/v1/runs/${id}`)
    for (; run.ended_at === null; run = await get<Run>(`/v1/runs/${id}`)) await pause(300)
    expect(run.episodes).toMatchObject({ total: 3, errored: 1 })
    const { result } = await get<Episode>(`/v1/runs/${id}/episodes/${episodeId(1)}`)
    expect(result).toMatchObject({ status: 'errored', reward: null })
    expect(result?.error?.message).toContain('taken up 5 times')

    await stage.world.objects.delete(torn)
    expect((await stage.call('POST', `/v1/runs/${id}/retry`, { key })).status).toBe(200)
    do {
      await pause(300)
      run = await get<Run>(`/v1/runs/${id}`)
    } while (run.ended_at === null)
    expect(run.episodes).toMatchObject({ total: 3, errored: 0 })
  }, 300_000)

  test('lets no caller in without a key, with a wrong one, with too small a scope, or to what is not theirs', async () => {
    stage = await openStage({ ...calm, endpoints: { endpoints } })
    const { post } = await asTenant(stage, 'acme')
    const { id } = await post<Run>('/v1/runs', { ...request, tasks: { split: 'test', limit: 1 } })
    const keys = openKeys(stage.world)
    const reader = await keys.create('acme', { name: 'reader', scopes: ['runs:read'] })
    const stranger = await keys.create('other', { name: 'admin', scopes: ['admin'] })
    const status = async (method: string, key?: string, path = `/v1/runs/${id}`) =>
      (await stage.call(method, path, key === undefined ? {} : { key })).status
    expect(await status('GET')).toBe(401)
    // The gateway refuses wrong keys in the authorizer's name, before the API.
    expect(await status('GET', `${reader.key}x`)).toBe(403)
    expect(await status('GET', reader.key)).toBe(200)
    expect(await status('POST', reader.key, `/v1/runs/${id}/cancel`)).toBe(403)
    expect(await status('GET', stranger.key)).toBe(404)
    expect(await status('POST', stranger.key, `/v1/runs/${id}/cancel`)).toBe(404)
    await keys.revoke('acme', reader.id)
    expect(await status('GET', reader.key)).toBe(403)
    expect(await status('GET', undefined, '/health')).toBe(200)
  })
})
