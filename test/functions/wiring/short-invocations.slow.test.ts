import { expect, onTestFinished, test } from 'vitest'
import { openEnvironmentServices } from '../../../functions/wiring/open-environment-services.ts'
import { wireService } from '../../../functions/wiring/wire-service.ts'
import { endpointsFileSchema } from '../../../shared/core/contracts/endpoint-configuration.ts'
import { episodeId } from '../../../shared/core/contracts/episode.ts'
import { objectKeys } from '../../../shared/core/engine/keys.ts'
import type { Objects, World } from '../../../shared/core/world/ports.ts'
import { openMethods } from '../../../shared/play/methods/methods.ts'
import { openModels } from '../../../shared/play/models/model-pool.ts'
import { openSimulatedModels } from '../../../shared/play/simulated/open-simulated-models.ts'
import { toRequest } from '../../support/open-test-engine.ts'
import { openTestWorld } from '../../support/open-test-world.ts'

const { endpoints } = endpointsFileSchema.parse({
  endpoints: { simulated: { kind: 'simulated', skill: 0.6, latency: 0 } },
})

const request = toRequest({
  environment: 'pddl',
  tasks: { split: 'test', types: ['gripper'], limit: 1 },
  method: { id: 'learnact', train_tasks: 2, candidates: 2, rounds: 1, max_steps: 12 },
  model: { endpoint: 'simulated', id: 'simulated' },
})

/** The same world, with a callback for each segment of a journal once it is there. */
function afterSegments(world: World, onSegment: () => void): World {
  const { objects } = world
  const watched: Objects = {
    async put(key, body, options) {
      const outcome = await objects.put(key, body, options)
      if (key.includes('/journal/')) onSegment()
      return outcome
    },
    get: (key, range) => objects.get(key, range),
    head: (key) => objects.head(key),
    list: (prefix, options) => objects.list(prefix, options),
    delete: (key) => objects.delete(key),
    sign: (key, options) => objects.sign(key, options),
  }
  return { ...world, objects: watched }
}

function openInvocation(world: World, worker: string) {
  const models = openModels(new Map(Object.entries(endpoints)), { simulated: openSimulatedModels })
  onTestFinished(() => models.close())
  const hosts = { call: () => Promise.reject(new Error('There are no hosts.')) }
  const { engine } = wireService({
    methods: openMethods(),
    world,
    models,
    ...openEnvironmentServices({ world, hosts }),
    worker,
    code: 'code',
    capacity: 1,
    onError: (error) => {
      throw error
    },
  })
  return engine
}

/** Plays a run by invocations that are ended after some segments; says how many each episode took. */
async function playByInvocations(mostSegments: number) {
  const world = await openTestWorld()
  const { id } = await openInvocation(world, 'api').runs.of('mine').create(request)
  const invocations = new Map<string, number>()
  for (let turn = 0; ; turn += 1) {
    const [message] = await world.queues.episodes.receive({ max: 1, wait: 0, visibility: 3600 })
    if (message === undefined) break
    let segments = 0
    const watched = afterSegments(world, () => {
      segments += 1
      if (segments === mostSegments) runner.stop('deadline', 'The invocation ends.')
    })
    const { presence, runner } = openInvocation(watched, `invocation-${turn}`)
    await presence.begin()
    await runner.play(message, false)
    await runner.leave()
    await presence.end({ isSettled: true })
    await world.queues.episodes.delete(message.receipt)
    const { episode } = message.body as { episode: string }
    invocations.set(episode, (invocations.get(episode) ?? 0) + 1)
  }
  const run = await openInvocation(world, 'reader').runs.of('mine').get(id)
  expect(run.status).toBe('succeeded')
  const paths = [
    ...[0, 1].map((index) => objectKeys.tree(id, episodeId(index))),
    ...(await world.objects.list(objectKeys.parts('library', id))).objects.map(({ key }) => key),
  ]
  const bodies = paths.map(async (path) =>
    Buffer.from((await world.objects.get(path))?.body ?? []).toString(),
  )
  return { learning: invocations.get(episodeId(0)) ?? 0, bodies: await Promise.all(bodies) }
}

test('a learning episode that outlasts its invocations goes on in others, and learns the same', async () => {
  const whole = await playByInvocations(Number.POSITIVE_INFINITY)
  const parts = await playByInvocations(3)
  expect(whole.learning).toBe(1)
  expect(whole.bodies.map((body) => body.length > 2)).toEqual([true, true, true])
  expect(parts.learning).toBeGreaterThan(1)
  expect(parts.bodies).toEqual(whole.bodies)
})
