import { expect, test } from 'vitest'
import { episodeId } from '../../../shared/core/contracts/episode.ts'
import type { RunRequestInput } from '../../../shared/core/contracts/run.ts'
import { ledgerKeys, objectKeys } from '../../../shared/core/engine/keys.ts'
import type { World } from '../../../shared/core/world/ports.ts'
import { ModelError } from '../../../shared/play/models/model-error.ts'
import { openLearningEngine, toNote } from '../../support/open-learning-engine.ts'
import { toRequest, untilStatus } from '../../support/open-test-engine.ts'
import { openTestWorld } from '../../support/open-test-world.ts'

const overloaded = () =>
  new ModelError('The endpoint was overloaded.', { transient: true, endpointStatus: 503, failure: 'other' })

const sharing = { round_size: 1, writes: ['memory' as const] }

async function read({ objects }: World, key: string): Promise<string> {
  return Buffer.from((await objects.get(key))?.body ?? []).toString('utf8')
}

/** A world whose writes to some objects wait until they are released. */
function stallWrites(world: World, isStalled: (key: string) => boolean, release: Promise<void>) {
  let begin: () => void = () => undefined
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const { objects } = world
  const stalling: World = {
    ...world,
    // The journal tries again after a while.
    clock: { now: () => world.clock.now(), sleep: async () => undefined },
    objects: {
      get: (...given) => objects.get(...given),
      head: (...given) => objects.head(...given),
      list: (...given) => objects.list(...given),
      delete: (...given) => objects.delete(...given),
      sign: (...given) => objects.sign(...given),
      async put(key, ...given) {
        if (isStalled(key)) {
          begin()
          await release
        }
        return objects.put(key, ...given)
      },
    },
  }
  return { stalling, begun }
}

/** Two workers that play one episode; the writes of the slow one to some objects wait until they are released. */
async function openRace(isStalled: (key: string) => boolean, more: { onStart?: () => never } = {}) {
  const world = await openTestWorld()
  const released = Promise.withResolvers<void>()
  const { stalling, begun } = stallWrites(world, isStalled, released.promise)
  const tasks = ['a', 'b']
  const slow = openLearningEngine({ world: stalling, tasks, sharing, worker: 'slow', ...more })
  const quick = openLearningEngine({ world, tasks, sharing, worker: 'quick' })
  const { id } = await quick.runs.create(toRequest({ max_retries: 0 }))
  const [message] = await world.queues.episodes.receive({ max: 1, wait: 0, visibility: 600 })
  const late = slow.runner.play(message as NonNullable<typeof message>, false)
  await begun
  await quick.runner.play(message as NonNullable<typeof message>, false)
  return { world, id, quick, released, late }
}

test('a worker that lost its claim and then fails changes nothing that is read or shown', async () => {
  const { world, id, quick, released, late } = await openRace((key) => key.includes('/journal/'))
  const tree = await read(world, objectKeys.tree(id, episodeId(0)))
  const notes = await quick.memory.notesOf(id, { before: 1 })
  expect(notes).toHaveLength(1)

  released.reject(new Error('The disk is gone.'))
  await late
  expect(await read(world, objectKeys.tree(id, episodeId(0)))).toBe(tree)
  expect(await quick.memory.notesOf(id, { before: 1 })).toEqual(notes)
  expect(await quick.runs.episode(id, episodeId(0))).toMatchObject({ status: 'succeeded' })
})

test('a result that comes after the end by another worker is not stored', async () => {
  const onStart = () => {
    throw new Error('The program has a fault.')
  }
  const { world, id, released, late } = await openRace((key) => key.endsWith('/result.json'), { onStart })
  const result = await read(world, objectKeys.result(id, episodeId(0)))
  expect(JSON.parse(result)).toMatchObject({ status: 'succeeded' })

  released.resolve()
  await late
  expect(await read(world, objectKeys.result(id, episodeId(0)))).toBe(result)
})

test('what was stored for an end that did not come about is never read', async () => {
  const world = await openTestWorld()
  const { memory, runs } = openLearningEngine({ world, sharing })
  const { id } = await runs.create(toRequest())
  const body = Buffer.from(JSON.stringify([toNote({ index: 0, task: 'a' }, 0)]))
  await world.objects.put(objectKeys.part('memory', { run: id, episode: episodeId(0), digest: 'abc' }), body)
  expect(await memory.notesOf(id, { before: null })).toEqual([])
})

test('what episodes of earlier versions left is read by their names', async () => {
  const world = await openTestWorld()
  const engine = openLearningEngine({ world, sharing })
  await engine.worker.start()
  const { id } = await engine.runs.create(toRequest())
  await untilStatus(engine, id, 'succeeded')
  const notes = await engine.memory.notesOf(id, { before: null })
  for (const index of [0, 1, 2, 3]) {
    await world.ledger.update({ key: ledgerKeys.episode(id, episodeId(index)), remove: ['learned'] })
  }
  expect(await engine.memory.notesOf(id, { before: null })).toEqual([])
  const old = `${objectKeys.parts('memory', id)}${episodeId(2)}.json`
  await world.objects.put(old, Buffer.from(JSON.stringify([notes[2]])))
  expect(await engine.memory.notesOf(id, { before: null })).toEqual([notes[2]])
  expect(await engine.memory.notesOf(id, { before: 2 })).toEqual([])
})

/** Plays four rounds of one episode; episode 1 finds its model overloaded as often as said. */
async function playOverloaded(times: number, request: Partial<RunRequestInput> = {}) {
  const world = await openTestWorld()
  let left = times
  const engine = openLearningEngine({
    world,
    sharing,
    onStart({ index }) {
      if (index !== 1 || left === 0) return
      left -= 1
      throw overloaded()
    },
  })
  await engine.worker.start()
  const { id } = await engine.runs.create(toRequest({ max_retries: 0, ...request }))
  return { engine, id }
}

test('a run pauses where an episode that later rounds read fails for a reason that may pass, and goes on as if nothing had been', async () => {
  const { engine, id } = await playOverloaded(1)
  const paused = await untilStatus(engine, id, 'paused')
  expect(paused.status_reason).toMatch(/ep-0000001 failed .*overloaded.*Resume plays it again/)
  expect(paused.episodes).toMatchObject({ succeeded: 1, errored: 0 })
  await engine.runs.resume(id, {})
  expect((await untilStatus(engine, id, 'succeeded')).episodes).toMatchObject({ succeeded: 4, errored: 0 })
  const notes = await engine.memory.notesOf(id, { before: null })
  expect(notes.map(({ note }) => note)).toEqual(['0', '1', '2', '3'])
})

test('an episode for which the run was paused once ends with its error, and the others go on without it', async () => {
  const { engine, id } = await playOverloaded(2)
  await untilStatus(engine, id, 'paused')
  await engine.runs.resume(id, {})
  expect((await untilStatus(engine, id, 'succeeded')).episodes).toMatchObject({ succeeded: 3, errored: 1 })
  const notes = await engine.memory.notesOf(id, { before: null })
  expect(notes.map(({ note }) => note)).toEqual(['0', '1', '2'])
})

test('an error of the episode itself holds up no other: it would come in every playing', async () => {
  const world = await openTestWorld()
  const engine = openLearningEngine({
    world,
    sharing,
    onStart({ index }) {
      if (index === 1) throw new Error('No answer can be read.')
    },
  })
  await engine.worker.start()
  const { id } = await engine.runs.create(toRequest({ max_retries: 0 }))
  expect((await untilStatus(engine, id, 'succeeded')).episodes).toMatchObject({ succeeded: 3, errored: 1 })
})
