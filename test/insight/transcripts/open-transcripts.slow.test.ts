import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Run, RunRequestInput } from '../../../shared/core/contracts/run.ts'
import {
  type TranscriptQuery,
  transcriptQuerySchema,
} from '../../../shared/core/contracts/transcript-search.ts'
import type { World } from '../../../shared/core/world/ports.ts'
import { ObjectIndex } from '../../../shared/insight/transcripts/object-index.ts'
import {
  openTranscripts,
  type TranscriptNeeds,
} from '../../../shared/insight/transcripts/open-transcripts.ts'
import { SqliteIndex } from '../../../shared/insight/transcripts/sqlite-index.ts'
import type { TranscriptIndex } from '../../../shared/insight/transcripts/transcript-index.ts'
import { openTestEngine, type TestEngine, toRequest, untilStatus } from '../../support/open-test-engine.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const drivers: Record<string, (world: World) => Promise<TranscriptIndex>> = {
  sqlite: async () => new SqliteIndex(join(await temporaryFolder(), 'transcripts.db')),
  objects: async ({ objects }) => new ObjectIndex(objects),
}

interface Service {
  engine: TestEngine
  index: TranscriptIndex
  errors: unknown[]
  play(request?: Partial<RunRequestInput>, tenant?: string): Promise<Run>
  search(query: Partial<TranscriptQuery>, more?: Partial<TranscriptNeeds>): ReturnType<Transcripts['search']>
}
type Transcripts = ReturnType<typeof openTranscripts>

const few = { ids: ['task-1', 'task-2', 'task-12'] }

describe.each(Object.entries(drivers))('searches over %s', (_name, open) => {
  async function openService(): Promise<Service> {
    const world = await openTestWorld()
    const engine = openTestEngine({ world })
    await engine.worker.start()
    const index = await open(world)
    onTestFinished(() => index.close())
    const errors: unknown[] = []
    return {
      engine,
      index,
      errors,
      async play(request = {}, tenant = 'default') {
        const runs = engine.tenants.of(tenant)
        const { id } = await runs.create(toRequest({ tasks: few, ...request }))
        return untilStatus({ runs }, id, 'succeeded')
      },
      search(query, more = {}) {
        const { runs } = engine
        const onError = (error: unknown) => errors.push(error)
        const transcripts = openTranscripts({ index, runs, now: () => Date.now(), onError, ...more })
        return transcripts.search(transcriptQuerySchema.parse({ q: 'start', ...query }))
      },
    }
  }

  test('a search finds the nodes of ended episodes, newest runs first', async () => {
    const { play, search } = await openService()
    const first = await play()
    const second = await play({ name: 'a second', method: { id: 'mcts', iterations: 3 } })
    const hits = await search({ q: '"start of" task-12' })
    expect(hits.data.map(({ episode, kind, node, run }) => ({ episode, kind, node, run }))).toEqual(
      [second.id, first.id].map((run) => ({ run, episode: 'ep-0000002', kind: 'observation', node: 0 })),
    )
    expect(hits).toMatchObject({
      runs: 2,
      more_runs: false,
      not_indexed: 0,
      cut_episodes: 0,
      has_more: false,
    })
    expect(hits.data[0]).toMatchObject({
      run_name: 'a second',
      task: 'task-12',
      method: 'mcts',
      role: null,
      snippet: [
        { text: 'start of', match: true },
        { text: ' ', match: false },
        { text: 'task-12', match: true },
      ],
    })
    expect((await search({ q: 'start of task-12', method: 'react' })).data.map(({ run }) => run)).toEqual([
      first.id,
    ])
  })

  test('pages together are one list, however large they are', async () => {
    const { play, search } = await openService()
    await play()
    await play({ method: { id: 'mcts', iterations: 3 } })
    const whole = (await search({ q: 'action', limit: 1000 })).data
    expect(whole.length).toBeGreaterThan(5)
    for (const limit of [1, 3, whole.length]) {
      const read: typeof whole = []
      for (let after: string | undefined, more = true; more; ) {
        const page = await search({ q: 'action', limit, after })
        expect(page.data.length).toBeLessThanOrEqual(limit)
        read.push(...page.data)
        more = page.has_more
        after = page.last_id ?? undefined
      }
      expect(read).toEqual(whole)
    }
  })

  test('a search without time says how much is not indexed, and each further one adds some', async () => {
    const { play, search } = await openService()
    await play({ tasks: { limit: 20 } })
    let now = 0
    const late = { times: { index: 1, search: 1000 }, now: () => ++now }
    const left: number[] = []
    for (let more = true; more; more = (left.at(-1) ?? 0) > 0) left.push((await search({}, late)).not_indexed)
    expect(left[0]).toBe(16)
    expect(left.toSorted((one, other) => other - one)).toEqual(left)
    expect(left.length).toBeLessThan(8)
    expect((await search({ limit: 100 }, late)).data).toHaveLength(20)
  })

  test('a search whose time is over goes on behind the last run that it looked at', async () => {
    const { play, search } = await openService()
    const runs = [await play(), await play(), await play()].map(({ id }) => id).reverse()
    await search({})
    let now = 0
    const late = { times: { index: 1000, search: 0 }, now: () => ++now }
    const found: string[] = []
    for (let after: string | undefined, more = true; more; ) {
      const page = await search({ q: 'start task-1', after, run: undefined }, late)
      found.push(...page.data.map(({ run }) => run))
      more = page.has_more
      after = page.last_id ?? undefined
    }
    expect(found).toEqual(runs)
  })

  test('an episode that ends anew is found as it ended last, and what is played is not looked at', async () => {
    const { engine, play, search } = await openService()
    const { id } = await play({ method: { id: 'mcts', iterations: 1 } })
    const before = await search({ q: 'saw', limit: 1000 })
    await engine.runs.extend(id, { method: { iterations: 6 } })
    await untilStatus(engine, id, 'succeeded')
    const after = await search({ q: 'saw', limit: 1000 })
    expect(after.data.length).toBeGreaterThan(before.data.length)
    const journals = new Set(after.data.map((hit) => hit.id))
    expect(journals.size).toBe(after.data.length)
  })

  test('a deleted run is found no more, and another tenant’s never', async () => {
    const { engine, index, play, search } = await openService()
    const mine = await play()
    const others = await play({}, 'others')
    expect((await search({})).data.every(({ run }) => run === mine.id)).toBe(true)
    await expect(search({ run: [others.id] })).rejects.toMatchObject({ code: 'not_found', param: 'run' })
    await engine.runs.delete(mine.id)
    await index.remove(mine.id)
    expect(await search({})).toMatchObject({ data: [], runs: 0 })
    expect((await index.versions(mine.id)).size).toBe(0)
  })

  test('what a cancelled run still writes is read once its workers know', async () => {
    const { engine, index, search } = await openService()
    const method = { id: 'mcts', iterations: 40, samples: 3 }
    const { id } = await engine.runs.create(toRequest({ tasks: { limit: 20 }, method, max_parallel: 2 }))
    const hasEnd = async () =>
      (await engine.runs.episodes(id, { limit: 20 })).data.some(({ result }) => result !== null)
    await expect.poll(hasEnd).toBe(true)
    await engine.runs.cancel(id)
    await untilStatus(engine, id, 'cancelled')
    const early = await search({ q: 'start', limit: 100 })
    expect(early.not_indexed).toBe(0)
    expect((await index.summary(id)).settled).toBeNull()
    await engine.worker.stop(60)
    const later = { now: () => Date.now() + 61_000 }
    expect(await search({ q: 'start', limit: 100 }, later)).toMatchObject({ not_indexed: 0 })
    expect((await index.summary(id)).settled).toContain('cancelled')
    const { data } = await engine.runs.episodes(id, { limit: 100 })
    const begun = data.filter(({ starts }) => starts > 0).map((episode) => episode.id)
    const found = (await search({ q: '"start of"', kind: 'observation', limit: 100 }, later)).data
    expect(found.map(({ episode }) => episode)).toEqual(begun)
  })

  test('filters choose runs, episodes and passages', async () => {
    const { play, search } = await openService()
    const one = await play({ experiment: 'depth', tags: ['a'] })
    const two = await play()
    const runsOf = async (query: Partial<TranscriptQuery>) => [
      ...new Set((await search({ limit: 1000, ...query })).data.map(({ run }) => run)),
    ]
    expect(await runsOf({ experiment: 'depth' })).toEqual([one.id])
    expect(await runsOf({ tag: ['a'] })).toEqual([one.id])
    expect(await runsOf({ run: [two.id] })).toEqual([two.id])
    expect(await runsOf({ run: [two.id, one.id] })).toEqual([two.id, one.id])
    expect(await runsOf({ run: [two.id, one.id], tag: ['a'] })).toEqual([one.id])
    expect(await runsOf({ environment: 'elsewhere' })).toEqual([])
    const all = (await search({ q: 'a*', limit: 1000 })).data
    const outcomes = new Set(all.map(({ outcome }) => outcome))
    for (const outcome of outcomes) {
      const some = (await search({ q: 'a*', limit: 1000, outcome })).data
      expect(some).toEqual(all.filter((hit) => hit.outcome === outcome))
    }
    const answers = (await search({ q: 'a*', limit: 1000, kind: 'answer', finish_reason: 'stop' })).data
    expect(answers).toEqual(
      all.filter(({ finish_reason, kind }) => kind === 'answer' && finish_reason === 'stop'),
    )
    expect(answers.length).toBeGreaterThan(0)
  })

  test('an episode that cannot be read is reported, and counts as not indexed', async () => {
    const { engine, errors, play, search } = await openService()
    await play()
    const runs: TranscriptNeeds['runs'] = {
      get: (run) => engine.runs.get(run),
      list: (query) => engine.runs.list(query),
      episodes: (run, query) => engine.runs.episodes(run, query),
      async journal(run, episode) {
        if (episode === 'ep-0000001') throw new Error('Lost.')
        return engine.runs.journal(run, episode)
      },
    }
    expect(await search({}, { runs })).toMatchObject({ not_indexed: 1 })
    expect(errors).toHaveLength(1)
    expect(await search({})).toMatchObject({ not_indexed: 0 })
  })

  test('a search that cannot be read, and an unknown place, are named', async () => {
    const { search } = await openService()
    await expect(search({ q: '"open' })).rejects.toMatchObject({ code: 'invalid_request', param: 'q' })
    await expect(search({ after: 'run/1' })).rejects.toMatchObject({
      code: 'invalid_request',
      param: 'after',
    })
  })
})

test('an index of a process that died is gone on with by the next', async () => {
  const path = join(await temporaryFolder(), 'transcripts.db')
  const engine = openTestEngine({ world: await openTestWorld() })
  await engine.worker.start()
  const { id } = await engine.runs.create(toRequest({ tasks: { limit: 20 } }))
  await untilStatus(engine, id, 'succeeded')
  const searchFrom = (index: TranscriptIndex, times: { index: number; search: number }) => {
    const read: string[] = []
    const runs: TranscriptNeeds['runs'] = {
      get: (run) => engine.runs.get(run),
      list: (query) => engine.runs.list(query),
      episodes: (run, query) => engine.runs.episodes(run, query),
      journal(run, episode) {
        read.push(episode)
        return engine.runs.journal(run, episode)
      },
    }
    let now = 0
    const onError = (error: unknown) => expect(error).toBeUndefined()
    const transcripts = openTranscripts({ index, runs, now: () => ++now, onError, times })
    return transcripts
      .search(transcriptQuerySchema.parse({ q: 'start', limit: 100 }))
      .then((hits) => ({ hits, read }))
  }
  // It is never closed, as if it had died.
  const before = await searchFrom(new SqliteIndex(path), { index: 1, search: 1000 })
  expect(before.hits.not_indexed).toBe(16)
  const next = new SqliteIndex(path)
  onTestFinished(() => next.close())
  const after = await searchFrom(next, { index: 1000, search: 1000 })
  expect(after.hits).toMatchObject({ not_indexed: 0 })
  expect(after.hits.data).toHaveLength(20)
  expect(before.read.filter((episode) => after.read.includes(episode))).toEqual([])
  // All is noted: nothing is looked at again.
  expect((await searchFrom(next, { index: 1000, search: 1000 })).read).toEqual([])
})

test('an index file that is damaged, or of another version, is made anew', async () => {
  const { writeFile } = await import('node:fs/promises')
  const path = join(await temporaryFolder(), 'transcripts.db')
  await writeFile(path, 'no database, and longer than the head of one '.repeat(10))
  const index = new SqliteIndex(path)
  await index.settle('run', 'mark')
  await index.close()
  const { DatabaseSync } = await import('node:sqlite')
  const file = new DatabaseSync(path)
  file.exec('pragma user_version = 999')
  file.close()
  const again = new SqliteIndex(path)
  onTestFinished(() => again.close())
  expect(await again.summary('run')).toEqual({ settled: null, cut: 0 })
})
