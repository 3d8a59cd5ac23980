import { setTimeout as wait } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { HostCall } from '../../../shared/core/contracts/host-call.ts'
import { readDemand } from '../../../shared/environments/hosts/host-demand.ts'
import { createHashEnvironment } from '../../support/hash-environment.ts'
import { createHashModel } from '../../support/hash-model.ts'
import { type InProcessHostsOptions, openInProcessHosts } from '../../support/in-process-hosts.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import { type PlayOnceOptions, playOnce, summarise, treeBytes } from '../../support/play-once.ts'
import { createTestEnvironment } from '../../support/test-environment.ts'

const search = { id: 'mcts', iterations: 3, samples: 3 }

type Options = Pick<PlayOnceOptions, 'environment' | 'method' | 'model'>

async function inWorker(options: Options): Promise<{ tree: string; steps: number }> {
  const world = await openTestWorld()
  const { outcome } = await playOnce({ world, ...options })
  expect(outcome).toEqual({ type: 'ended', limit: null })
  const summary = await summarise({ world, ...options })
  return { tree: await treeBytes({ world, ...options }), steps: summary?.steps ?? 0 }
}

async function onHosts(
  options: Options & { environment: ReturnType<typeof createHashEnvironment> },
  more: Partial<InProcessHostsOptions> = {},
) {
  const world = await openTestWorld()
  const hosts = openInProcessHosts({ world, environment: options.environment, ...more })
  for (const id of ['host-1', 'host-2', 'host-3']) await hosts.add(id)
  // The run asks for hosts; what they serve is the same environment.
  const played = { world, ...options, hosting: 'host' as const, sessions: hosts.sessions }
  return { world, hosts, played }
}

const steps = (calls: HostCall[]) => calls.filter(({ operation }) => operation === 'step').length

describe.each([
  ['with snapshots', true],
  ['by replay', false],
])('an episode on hosts, %s', (_name, withSnapshots) => {
  test.each([['react', { id: 'react' }] as const, ['mcts', search] as const])(
    'comes to the same tree as in the worker: %s',
    async (_method, method) => {
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 0, max: 1000 }), async (seed) => {
          const options = { environment: createHashEnvironment(seed), model: createHashModel(), method }
          const expected = await inWorker(options)
          const { hosts, played } = await onHosts(options, { withSnapshots })
          expect((await playOnce(played)).outcome).toEqual({ type: 'ended', limit: null })
          expect(await treeBytes(played)).toBe(expected.tree)
          if (method.id === 'react') expect(steps(hosts.calls)).toBe(expected.steps)
          // What the same actions led to before is not asked again.
          else if (withSnapshots) expect(steps(hosts.calls)).toBeLessThanOrEqual(expected.steps)
        }),
        { numRuns: 8 },
      )
    },
  )

  test('goes on elsewhere when its host is lost at any call, and comes to the same tree', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 100 }),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 40 }),
        async (seed, first, later) => {
          const options = {
            environment: createHashEnvironment(seed),
            model: createHashModel(),
            method: search,
          }
          const expected = await inWorker(options)
          let lost = 0
          const { hosts, played } = await onHosts(options, {
            withSnapshots,
            onCall: ({ host }, made) => {
              if (made >= first + lost * later && lost < 2) {
                lost += 1
                hosts.lose(host)
              }
            },
          })
          expect((await playOnce(played)).outcome).toEqual({ type: 'ended', limit: null })
          expect(await treeBytes(played)).toBe(expected.tree)
        },
      ),
      { numRuns: 10 },
    )
  })

  test('is taken up by another worker where its journal ends', async () => {
    const options = { environment: createHashEnvironment(3), model: createHashModel(), method: search }
    const expected = await inWorker(options)
    for (const turns of [1, 5, 9]) {
      const { played } = await onHosts(options, { withSnapshots })
      const stopped = await playOnce({ ...played, limits: { turns } })
      expect(stopped.outcome).toEqual({ type: 'ended', limit: 'turns' })
      expect((await playOnce({ ...played, writer: 'second' })).outcome).toEqual({
        type: 'ended',
        limit: null,
      })
      expect(await treeBytes(played)).toBe(expected.tree)
    }
  })
})

test('an environment that answers differently on replay fails the episode, and names the step', async () => {
  let resets = 0
  const environment = createTestEnvironment<{ path: string[] }>({
    reset: () => {
      resets += 1
      return { state: { path: [] }, observation: 'start' }
    },
    step: ({ path }, action) => ({
      state: { path: [...path, action] },
      observation: path.length === 1 ? `life ${resets}` : 'the same',
      reward: 0,
      done: false,
    }),
  })
  const world = await openTestWorld()
  const hosts = openInProcessHosts({ world, environment, withSnapshots: false })
  await hosts.add('host-1')
  const options = {
    world,
    environment,
    hosting: 'host' as const,
    sessions: hosts.sessions,
    model: createHashModel(),
    method: { id: 'mcts', iterations: 2, samples: 2, max_depth: 4 },
  }
  const { outcome } = await playOnce(options)
  expect(outcome).toMatchObject({
    type: 'failed',
    error: { code: 'replay_diverged', message: expect.stringMatching(/step 2 \(".+"\) of task.*"life \d"/) },
  })
})

test('an episode gives its slot back, and a slot that is taken by another is left alone', async () => {
  const options = { environment: createHashEnvironment(5), model: createHashModel(), method: { id: 'react' } }
  const { hosts, played, world } = await onHosts(options)
  await playOnce(played)
  const operations = hosts.calls.map(({ operation }) => operation)
  expect(operations.at(0)).toBe('create')
  expect(operations.at(-1)).toBe('close')
  const leases = await world.ledger.query(`hosts/${hosts.calls[0]?.host}/slots`)
  expect(leases.items.map(({ item }) => item.expires_at)).toEqual([0])
})

test('waiting for a host is no working time', async () => {
  const environment = createHashEnvironment(5)
  const world = await openTestWorld()
  const hosts = openInProcessHosts({ world, environment })
  const start = performance.now()
  const playing = playOnce({
    world,
    environment,
    hosting: 'host',
    sessions: hosts.sessions,
    model: createHashModel(),
    method: { id: 'react' },
  })
  await expect.poll(() => readDemand(world, 'env-host')).toBeGreaterThan(0)
  await wait(1000)
  await hosts.add('late')
  const { outcome, journal } = await playing
  expect(outcome).toEqual({ type: 'ended', limit: null })
  const passed = (performance.now() - start) / 1000
  expect(journal.elapsed).toBeLessThan(passed - 0.9)
})
