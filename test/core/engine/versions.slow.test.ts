import { expect, test } from 'vitest'
import { episodeId } from '../../../shared/core/contracts/episode.ts'
import type { EpisodeRow } from '../../../shared/core/engine/episodes/episode-row.ts'
import { ledgerKeys, objectKeys } from '../../../shared/core/engine/keys.ts'
import { enlistWorker, hasWorkerOf, retireWorker } from '../../../shared/core/engine/workers.ts'
import type { World } from '../../../shared/core/world/ports.ts'
import type { ChatModel } from '../../../shared/play/models/chat-model.ts'
import { createHashEnvironment } from '../../support/hash-environment.ts'
import { createHashModel } from '../../support/hash-model.ts'
import {
  openTestEngine,
  type TestEngineOptions,
  toRequest,
  untilStatus,
  withTasks,
} from '../../support/open-test-engine.ts'
import { openTestWorld } from '../../support/open-test-world.ts'

const older = { code: '1.0.0+aaa' }
const newer = { code: '1.1.0+bbb' }
const rules = (seed: number) => withTasks(createHashEnvironment(seed, { depth: 6, disasters: 0 }), 1)
const ended = ['succeeded', 'failed', 'cancelled'] as const

/** Lets the first calls through, and tells of the one after them, which is never answered. */
function stuckModel(calls: number): { model: ChatModel; stuck: Promise<void> } {
  const { promise: stuck, resolve } = Promise.withResolvers<void>()
  const model = createHashModel()
  let made = 0
  return {
    stuck,
    model: {
      complete(request, context) {
        made += 1
        if (made <= calls) return model.complete(request, context)
        resolve()
        const { signal } = context
        return new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason as Error))
        })
      },
    },
  }
}

const rowOf = async ({ ledger }: World, run: string) =>
  (await ledger.get(ledgerKeys.episode(run, episodeId(0)))) as unknown as EpisodeRow

async function treeOf({ objects }: World, run: string): Promise<string> {
  return Buffer.from((await objects.get(objectKeys.tree(run, episodeId(0))))?.body ?? []).toString()
}

/** An episode that the older version began and a stopped worker left, with calls in its journal. */
async function begun(environment = rules(3)) {
  const world = await openTestWorld()
  const { model, stuck } = stuckModel(2)
  const first = openTestEngine({ world, environment, model, worker: 'first', ...older })
  const { id } = await first.runs.create(toRequest({}))
  await first.worker.start()
  await stuck
  await first.worker.stop(0)
  expect(await rowOf(world, id)).toMatchObject({ attempt: 1, worker: null })
  const open = (worker: string, options: Partial<TestEngineOptions>) =>
    openTestEngine({ world, environment, worker, ...options })
  return { world, id, open }
}

async function undisturbed(): Promise<string> {
  const world = await openTestWorld()
  const engine = openTestEngine({ world, environment: rules(3), ...older })
  const { id } = await engine.runs.create(toRequest({}))
  await engine.worker.start()
  await untilStatus(engine, id, ...ended)
  return treeOf(world, id)
}

test('an episode that another version cannot continue stays with the version that began it', async () => {
  const { world, id, open } = await begun()
  await enlistWorker(world, 'second', older)
  const other = open('other', { environment: rules(4), ...newer })
  await other.worker.start()
  const problem = /waits for a worker of version 1\.0\.0\+aaa, which began it/
  await expect
    .poll(async () => (await other.runs.get(id)).last_problem?.message, { timeout: 60_000 })
    .toMatch(problem)
  expect((await other.runs.episode(id, episodeId(0))).last_problem?.message).toMatch(problem)
  await expect.poll(async () => (await rowOf(world, id)).worker, { timeout: 60_000 }).toBe(null)
  expect(await rowOf(world, id)).toMatchObject({ attempt: 1, stays_with: older.code, idle_starts: 0 })

  const second = open('second', older)
  await second.worker.start()
  await untilStatus(second, id, ...ended)
  expect(await rowOf(world, id)).toMatchObject({ attempt: 1, restarted_by: null })
  expect(await treeOf(world, id)).toBe(await undisturbed())
  expect([...other.errors, ...second.errors]).toEqual([])
})

test('it begins again at zero once the last worker of that version is gone', async () => {
  const { world, id, open } = await begun()
  await enlistWorker(world, 'second', older)
  const other = open('other', { environment: rules(4), ...newer })
  await other.worker.start()
  await expect.poll(async () => (await rowOf(world, id)).stays_with, { timeout: 60_000 }).toBe(older.code)
  await retireWorker(world, 'second')
  await untilStatus(other, id, ...ended)
  expect(await rowOf(world, id)).toMatchObject({ attempt: 2, restarted_by: newer.code, stays_with: null })
})

test.each([
  ['leaves', { load: { playing: 0, leaving: true, episodes: [] } }],
  ['plays nothing', { code: undefined }],
])('a worker of that version that %s keeps no episode waiting', async (_, over) => {
  const { world, id, open } = await begun()
  const { code, ...announced } = { ...older, ...over }
  await enlistWorker(world, 'second', { ...announced, ...(code !== undefined && { code }) })
  const other = open('other', { environment: rules(4), ...newer })
  await other.worker.start()
  await untilStatus(other, id, ...ended)
  expect(await rowOf(world, id)).toMatchObject({ attempt: 2, restarted_by: newer.code })
})

test('an episode moves to another version that asks the same', async () => {
  const { world, id, open } = await begun()
  await enlistWorker(world, 'second', older)
  const other = open('other', newer)
  await other.worker.start()
  await untilStatus(other, id, ...ended)
  expect(await rowOf(world, id)).toMatchObject({ attempt: 1, restarted_by: null })
  expect(await treeOf(world, id)).toBe(await undisturbed())
})

test('a worker that drains keeps no episode waiting, whether it names its machine or not', async () => {
  const world = await openTestWorld()
  const { presence } = openTestEngine({ world, worker: 'draining', ...older })
  await presence.begin()
  expect(await hasWorkerOf(world, older.code, 'default')).toBe(true)
  await presence.leave()
  expect(await hasWorkerOf(world, older.code, 'default')).toBe(false)
  await presence.end()
})
