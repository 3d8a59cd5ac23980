import { describe, expect, test } from 'vitest'
import { episodeId } from '../../../shared/core/contracts/episode.ts'
import { toResult } from '../../../shared/core/engine/episodes/conclude-episode.ts'
import { openMemoryReader } from '../../../shared/core/engine/memories/open-memory-reader.ts'
import { RunDefinitions } from '../../../shared/core/engine/runs/run-definition.ts'
import { beforeChanges } from '../../support/before-changes.ts'
import { type LearningEngineOptions, openLearningEngine } from '../../support/open-learning-engine.ts'
import { toRequest, untilStatus } from '../../support/open-test-engine.ts'
import { openTestWorld } from '../../support/open-test-world.ts'

const learning = [
  { group: 'boil', tasks: ['boil-1', 'boil-2'] },
  { group: 'melt', tasks: ['melt-1'] },
]

async function played(options: Partial<LearningEngineOptions> & Pick<LearningEngineOptions, 'sharing'>) {
  const world = options.world ?? (await openTestWorld())
  const engine = openLearningEngine({ ...options, world })
  await engine.worker.start()
  const { id } = await engine.runs.create(toRequest({ max_retries: 0 }))
  const run = await untilStatus(engine, id, 'succeeded', 'failed')
  const episodes = (await engine.runs.episodes(id, { limit: 100 })).data
  return { ...engine, world, id, run, episodes }
}

describe('learning episodes', () => {
  test('come first, carry no reward, and leave what the others read', async () => {
    const { id, run, episodes, memory } = await played({
      tasks: ['a', 'b'],
      sharing: { learning, writes: ['library', 'memory'] },
    })
    expect(run).toMatchObject({ learning_episodes: 2, episodes: { total: 4, succeeded: 4 } })
    expect(run).toMatchObject({ library: id.replace('run-', 'lib-'), memory: id.replace('run-', 'mem-') })
    expect(episodes.map(({ task, epoch, purpose }) => [task, epoch, purpose])).toEqual([
      ['learn:boil', 0, 'learn'],
      ['learn:melt', 0, 'learn'],
      ['a', 0, 'play'],
      ['b', 0, 'play'],
    ])
    expect(episodes.map(({ status, result }) => [status, result?.reward, result?.success])).toEqual([
      ['succeeded', null, null],
      ['succeeded', null, null],
      ['succeeded', 1, true],
      ['succeeded', 1, true],
    ])
    expect(await memory.actionsOf(id)).toMatchObject([
      { group: 'boil', description: 'Learned from boil-1, boil-2.' },
      { group: 'melt', description: 'Learned from melt-1.' },
    ])
    expect(await memory.learned(id, 1)).toMatchObject({ notes: [], actions: [{ group: 'melt' }] })
  })

  test.each([
    [null, 'succeeded'],
    ['steps', 'limited'],
    ['cost', 'limited'],
  ] as const)('ended by the limit %s stand as %s and have no reward', (limit, status) => {
    const ending = { summary: null, error: null, working_seconds: 1, attempt: 1 }
    const ended = { status, reward: null, success: null, limit }
    expect(toResult({ ...ending, purpose: 'learn', limit })).toMatchObject(ended)
  })

  test('that succeed do not make a run succeed whose tasks all ended with an error', async () => {
    const { run } = await played({
      tasks: ['a', 'b'],
      sharing: { learning, writes: ['library'] },
      onStart: ({ purpose }) => {
        if (purpose === 'play') throw new Error('No model.')
      },
    })
    expect(run).toMatchObject({ status: 'failed', episodes: { succeeded: 2, errored: 2 } })
  })

  test('that err make the others end with an error that names them, until all are retried', async () => {
    let broken = true
    const { id, run, episodes, runs, memory } = await played({
      tasks: ['a', 'b'],
      sharing: { learning, writes: ['library'] },
      onStart: ({ purpose, index }) => {
        if (broken && purpose === 'learn' && index === 0) throw new Error('No sandbox.')
      },
    })
    expect(run.episodes).toMatchObject({ errored: 3, succeeded: 1 })
    expect(episodes[2]?.result).toMatchObject({
      reward: null,
      error: {
        name: 'EspalierError',
        message: expect.stringContaining(`ep-0000000 ended with an error (Error: No sandbox.)`),
      },
    })
    expect(episodes[2]?.result?.error?.message).toContain(`Once the run ${id} has ended, retry it`)
    expect(await memory.actionsOf(id)).toMatchObject([{ group: 'melt' }])

    broken = false
    await runs.retry(id)
    const again = await untilStatus({ runs }, id, 'succeeded')
    expect(again.episodes).toMatchObject({ succeeded: 4, errored: 0 })
    expect(await memory.actionsOf(id)).toHaveLength(2)
  })

  test('that have not ended are distinguished from those that left nothing', async () => {
    const world = await openTestWorld()
    const { runs, memory } = openLearningEngine({ world, sharing: { learning } })
    const { id } = await runs.create(toRequest())
    await expect(memory.learned(id, 0)).rejects.toMatchObject({
      code: 'invalid_state',
      message: expect.stringContaining('ep-0000000 has not ended'),
    })
    await runs.cancel(id)
    await expect(memory.learned(id, 0)).rejects.toThrow('ep-0000000 was cancelled')
  })
})

describe('what episodes leave', () => {
  test('is read in the order of the episodes, as far as it is asked for', async () => {
    const { id, memory } = await played({ sharing: { writes: ['memory'] }, notes: (index) => index })
    const ids = async (before: number | null) => (await memory.notesOf(id, { before })).map((note) => note.id)
    const all = [1, 2, 2, 3, 3, 3].map((index, at) => `${episodeId(index)}/${[0, 0, 1, 0, 1, 2][at]}`)
    expect(await ids(null)).toEqual(all)
    expect(await ids(3)).toEqual(all.slice(0, 3))
    expect(await ids(1)).toEqual([])
    expect(await ids(0)).toEqual([])
  })

  test('of many episodes is whole', async () => {
    const tasks = Array.from({ length: 70 }, (_, index) => `task-${index}`)
    const { id, memory } = await played({ tasks, sharing: { writes: ['memory'] } })
    const notes = await memory.notesOf(id, { before: null })
    expect(notes.map(({ episode }) => episode)).toEqual(tasks.map((_, index) => episodeId(index)))
  })

  test('is there before its end can be seen, and not without one', async () => {
    const world = await openTestWorld()
    const seen: boolean[] = []
    const watching = beforeChanges(world, async (changes) => {
      const ends = changes.filter(({ set }) => set?.status === 'succeeded' && set.result !== undefined)
      for (const { key } of ends) {
        const run = key.partition.split('/')[1]
        const { objects } = await world.objects.list(`runs/${run}/memory/${key.sort}/`)
        seen.push(objects.length === 1)
      }
    })
    await played({ world: watching, sharing: { writes: ['memory'] } })
    expect(seen).toEqual([true, true, true, true])

    const failed = await played({
      sharing: { writes: ['memory'] },
      onStart: ({ index }) => {
        if (index === 2) throw new Error('broken')
      },
    })
    const notes = await failed.memory.notesOf(failed.id, { before: null })
    expect(notes.map(({ episode }) => episode)).toEqual([0, 1, 3].map(episodeId))
  })

  test('when an episode is played on is what it leaves then, though it was read before', async () => {
    let extended = false
    const { id, runs, memory } = await played({
      sharing: { writes: ['memory'] },
      notes: (index) => (index === 1 && extended ? 0 : index === 2 && extended ? 2 : 1),
    })
    const episodesOf = async () => (await memory.notesOf(id, { before: null })).map(({ episode }) => episode)
    expect(await episodesOf()).toEqual([0, 1, 2, 3].map(episodeId))
    extended = true
    await runs.extend(id, {})
    await untilStatus({ runs }, id, 'succeeded')
    expect(await episodesOf()).toEqual([0, 2, 2, 3].map(episodeId))
  })

  test('is read once as long as it stays the same', async () => {
    const { id, world } = await played({ sharing: { writes: ['memory'] } })
    const read: string[] = []
    const reader = openMemoryReader({
      ledger: world.ledger,
      objects: {
        ...world.objects,
        list: (prefix, options) => world.objects.list(prefix, options),
        get: (key, range) => {
          read.push(key)
          return world.objects.get(key, range)
        },
      },
    })
    for (let time = 0; time < 3; time += 1) await reader.notesOf(id, { before: null })
    expect(read).toHaveLength(4)
  })

  test('live memory is read as it stands, and the run says so', async () => {
    const { run } = await played({ sharing: { writes: ['memory'], live: true } })
    expect(run.live).toBe(true)
  })
})

test('runs of earlier versions are read as runs without learning', async () => {
  const world = await openTestWorld()
  const { runs, worker } = openLearningEngine({ world, tasks: ['a', 'b'], sharing: {} })
  await worker.start()
  const { id } = await runs.create(toRequest())
  await untilStatus({ runs }, id, 'succeeded')
  expect(await world.objects.head(`runs/${id}/learning.json`)).toBeNull()
  expect(await new RunDefinitions(world.objects).place({ id, purpose: 'play' }, 1)).toEqual({
    index: 1,
    task: 'b',
    epoch: 0,
    purpose: 'play',
    group: null,
    training: [],
    roundStart: 0,
  })
  const key = { partition: `run/${id}`, sort: 'run' }
  await world.ledger.update({ key, remove: ['learning', 'round_size', 'writes', 'live'] })
  const episode = { partition: `run/${id}/episodes`, sort: 'ep-0000000' }
  const row = (await world.ledger.get(episode)) ?? {}
  const { primitive_steps: _steps, unparsable: _count, ...result } = row.result as Record<string, number>
  await world.ledger.update({ key: episode, set: { result } })

  expect(await runs.get(id)).toMatchObject({ learning_episodes: 0, memory: null, library: null, live: false })
  expect((await runs.episode(id, 'ep-0000000')).result).toMatchObject({ primitive_steps: 2, unparsable: 0 })
})
