import { expect, test } from 'vitest'
import { episodeId } from '../../../shared/core/contracts/episode.ts'
import type { Tree } from '../../../shared/core/contracts/tree.ts'
import { objectKeys } from '../../../shared/core/engine/keys.ts'
import type { World } from '../../../shared/core/world/ports.ts'
import type { ChatModel } from '../../../shared/play/models/chat-model.ts'
import { createHashEnvironment } from '../../support/hash-environment.ts'
import { createHashModel } from '../../support/hash-model.ts'
import { openTestEngine, toRequest, withTasks } from '../../support/open-test-engine.ts'
import { openTestWorld } from '../../support/open-test-world.ts'

const environment = withTasks(createHashEnvironment(5, { depth: 6, disasters: 0 }), 1)
const episode = episodeId(0)
const request = toRequest({ method: { id: 'mcts', iterations: 4, max_depth: 4 }, max_retries: 0 })

/** A model that fails for good after some calls. */
function failingAfter(calls: number): ChatModel {
  const model = createHashModel()
  let made = 0
  return {
    complete(...call) {
      made += 1
      return made > calls ? Promise.reject(new Error('The model is broken.')) : model.complete(...call)
    },
  }
}

/** The same world, with something before the first write of a tree. */
function beforeFirstTree(world: World, before: () => Promise<void>): World {
  const { objects } = world
  let isFirst = true
  const watched: World['objects'] = {
    get: (key, range) => objects.get(key, range),
    head: (key) => objects.head(key),
    list: (prefix, options) => objects.list(prefix, options),
    delete: (key) => objects.delete(key),
    sign: (key, options) => objects.sign(key, options),
    async put(key, body, options) {
      if (isFirst && key.endsWith('/tree.json')) {
        isFirst = false
        await before()
      }
      return objects.put(key, body, options)
    },
  }
  return { ...world, objects: watched }
}

async function readTree({ objects }: World, run: string): Promise<Tree> {
  const stored = await objects.get(objectKeys.tree(run, episode))
  return JSON.parse(Buffer.from(stored?.body ?? []).toString()) as Tree
}

test('a worker that loses its claim while it publishes does not replace what its successor published', async () => {
  const world = await openTestWorld()
  const next = openTestEngine({ world, environment, worker: 'next' })
  const { id: run } = await next.runs.create(request)
  const play = () => next.runner.play({ body: { run, episode } }, false)
  const slow = beforeFirstTree(world, play)
  await openTestEngine({ world: slow, environment, worker: 'slow', model: failingAfter(3) }).runner.play(
    { body: { run, episode } },
    false,
  )
  const { status, result } = await next.runs.episode(run, episode)
  expect(status).not.toBe('errored')
  const tree = await readTree(world, run)
  expect(tree.nodes).toHaveLength(result?.nodes ?? 0)
  expect(JSON.stringify(tree)).not.toContain('The model is broken')
})

test('what a worker published that died before its episode ended is replaced by the one that ends it', async () => {
  const world = await openTestWorld()
  const engine = openTestEngine({ world, environment })
  const { id: run } = await engine.runs.create(request)
  await world.objects.put(objectKeys.tree(run, episode), Buffer.from('{"nodes":[]}'))
  await engine.runner.play({ body: { run, episode } }, false)
  const { result } = await engine.runs.episode(run, episode)
  expect(result?.nodes).toBeGreaterThan(1)
  expect((await readTree(world, run)).nodes).toHaveLength(result?.nodes ?? 0)
})
