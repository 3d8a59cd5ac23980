import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import type { RunEvent } from '../../../shared/core/contracts/run-event.ts'
import type { TokenRecord } from '../../../shared/core/contracts/token-record.ts'
import { GroupFold } from '../../../shared/learn/rollouts/fold-groups.ts'
import { GroupFolds, openRollouts, rolloutGroupOf } from '../../../shared/learn/rollouts/open-rollouts.ts'
import { endedEpisode } from '../../builders/episodes.ts'
import { call } from '../../builders/journals.ts'
import { createHashModel } from '../../support/hash-model.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import {
  allGroups,
  openTestAttempts,
  openTestRollouts,
  rolloutsOver,
  toRollout,
} from './open-test-rollouts.ts'

test('each task is played in a group whose members differ, and each group comes once, with its statistics', async () => {
  const { rollouts, runs, worker } = openTestRollouts({ world: await openTestWorld() })
  await worker.start()
  const { id, run } = await rollouts.create(toRollout())
  const events = await allGroups(rollouts, id)
  expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4])
  expect(events.map(({ group }) => group.index).toSorted()).toEqual([0, 1, 2, 3])
  const { data } = await runs.episodes(run, { limit: 100 })
  expect(data.map(({ task, epoch }) => `${task}/${epoch}`)).toEqual(
    [0, 1, 2, 3].flatMap((task) => [0, 1, 2].map((epoch) => `task-${task}/${epoch}`)),
  )
  for (const { group } of events) {
    const rewards = data
      .filter(({ task }) => task === group.task)
      .map(({ result }) => result?.reward as number)
    const mean = rewards.reduce((sum, reward) => sum + reward, 0) / 3
    expect(group).toMatchObject({ status: 'complete', versions: ['0'], flat: new Set(rewards).size === 1 })
    expect(group.members.map(({ reward }) => reward)).toEqual(rewards)
    expect(group.rewards?.mean).toBeCloseTo(mean, 9)
    expect(group.rewards?.std).toBeCloseTo(
      Math.sqrt(rewards.reduce((sum, reward) => sum + (reward - mean) ** 2, 0) / 3),
      9,
    )
  }
  expect(await rollouts.get(id)).toMatchObject({
    status: 'succeeded',
    groups: { total: 4, finished: 4, complete: 4 },
  })
})

test('a stream that goes on anywhere, in any process, has the groups that were left, in the same order', async () => {
  const world = await openTestWorld()
  const { rollouts, runs, worker } = openTestRollouts({ world })
  await worker.start()
  const { id } = await rollouts.create(toRollout())
  const events = await allGroups(rollouts, id)
  for (const after of [0, 1, 3, 4]) {
    const other = rolloutsOver(world, runs)
    expect(await other.groups(id, { after, limit: 100 })).toEqual(events.slice(after))
    expect(await other.groups(id, { after, limit: 1 })).toEqual(events.slice(after, after + 1))
  }
})

test('the entropy of a rollout is of its policy: the tokens of judges are not in it', async () => {
  const world = await openTestWorld()
  const { runs, worker } = openTestRollouts({ world })
  await worker.start()
  const { id } = await rolloutsOver(world, runs).create(toRollout())
  await allGroups(rolloutsOver(world, runs), id)
  const recorded = (of: string, logprob: number) =>
    ({ call: of, answers: [{ ids: [1], logprobs: [logprob] }] }) as TokenRecord
  const attempts = openTestAttempts(world, runs)
  const get = runs.get.bind(runs)
  vi.spyOn(runs, 'get').mockImplementation(async (run) => {
    const found = await get(run)
    return { ...found, request: { ...found.request, record: 'tokens' } }
  })
  const rollouts = openRollouts({
    runs,
    attempts: {
      ...attempts,
      open: async (...given) => ({
        ...(await attempts.open(...given)),
        journal: async () => [...call('node/0/sample/0'), ...call('node/1/value/0', { role: 'value' })],
        tokens: async () => [recorded('node/0/sample/0', -1), recorded('node/1/value/0', -9)],
      }),
    },
    folds: new GroupFolds(),
  })
  const { groups, means } = await rollouts.figures(id, { limit: 10 })
  expect(groups.map(({ entropy }) => entropy)).toEqual([1, 1, 1, 1])
  expect(means.entropy).toBe(1)
})

test('a key names one rollout, and the key of a run is another', async () => {
  const { rollouts, runs } = openTestRollouts({ world: await openTestWorld() })
  const first = await rollouts.create(toRollout(), { idempotencyKey: 'step-1' })
  expect(await rollouts.create(toRollout(), { idempotencyKey: 'step-1' })).toEqual(first)
  await expect(
    rollouts.create(toRollout({ version: '1' }), { idempotencyKey: 'step-1' }),
  ).rejects.toMatchObject({ code: 'idempotency_key_reused' })
  const { request } = await runs.get(first.run)
  const other = await runs.create(request, { idempotencyKey: 'step-1' })
  expect(other.id).not.toBe(first.run)
  expect((await rollouts.list({ limit: 10 })).data.map(({ id }) => id)).toEqual([first.id])
  await expect(rollouts.get(other.id.replace('run', 'rollout'))).rejects.toMatchObject({ param: 'rollout' })
})

test('members that errored are outside the statistics, and say why they are missing', async () => {
  const model = createHashModel({
    onCall({ seed = 0 }) {
      if (seed % 3 === 0) throw new Error('The model is gone.')
    },
  })
  const { rollouts, worker } = openTestRollouts({ world: await openTestWorld(), model })
  await worker.start()
  const { id } = await rollouts.create(toRollout({ max_retries: 0, group_size: 6 }))
  const events = await allGroups(rollouts, id)
  expect(events).toHaveLength(4)
  const missing = events.flatMap(({ group }) => group.members.filter((member) => member.missing !== null))
  expect(missing.length).toBeGreaterThan(0)
  for (const member of missing)
    expect(member).toMatchObject({ missing: 'errored', reward: null, detail: 'The model is gone.' })
  for (const { group } of events) {
    const present = group.members.flatMap(({ reward }) => reward ?? [])
    expect(group.status).toBe(present.length === 6 ? 'complete' : 'incomplete')
    const mean =
      present.length === 0 ? undefined : present.reduce((sum, each) => sum + each, 0) / present.length
    expect(group.rewards?.mean).toEqual(mean === undefined ? undefined : expect.closeTo(mean, 9))
    const rows = await rollouts.group(id, group.index, 'rollouts')
    expect(rows.left_out.map(({ reason }) => reason)).toEqual(present.map(() => 'no_tokens'))
  }
})

test('an episode over its time is missing as timed out, and one over its money as cut', async () => {
  const { rollouts, worker } = openTestRollouts({ world: await openTestWorld() })
  await worker.start()
  const reasons = async (changes: Parameters<typeof toRollout>[0]) => {
    const { id } = await rollouts.create(toRollout({ tasks: { split: 'test', limit: 1 }, ...changes }))
    const events = await allGroups(rollouts, id)
    return new Set(events.flatMap(({ group }) => group.members.map(({ missing }) => missing)))
  }
  expect(await reasons({ timeout: 0.000_001 })).toEqual(new Set(['timed_out']))
  expect(await reasons({ episode_limits: { cost: 0.000_001 } })).toEqual(new Set(['cut']))
})

test('no more episodes than asked are in flight', async () => {
  let calls = 0
  let most = 0
  let meet = (): void => undefined
  // The first two calls wait for each other.
  const haveMet = new Promise<void>((resolve) => {
    meet = resolve
  })
  const hash = createHashModel({ delay: 5 })
  const { rollouts, worker } = openTestRollouts({
    world: await openTestWorld(),
    model: {
      async complete(...given) {
        calls += 1
        most = Math.max(most, calls)
        if (calls === 2) meet()
        await haveMet
        return hash.complete(...given).finally(() => {
          calls -= 1
        })
      },
    },
  })
  await worker.start()
  const { id } = await rollouts.create(toRollout({ in_flight: 2 }))
  expect(await allGroups(rollouts, id)).toHaveLength(4)
  expect(most).toBe(2)
})

test('new episodes play a new policy, those that began keep theirs, and groups name what they mix', async () => {
  const world = await openTestWorld()
  const asked = new Set<string>()
  let changed = (): void => undefined
  const isChanged = new Promise<void>((resolve) => {
    changed = resolve
  })
  let began = (): void => undefined
  const hasBegun = new Promise<void>((resolve) => {
    began = resolve
  })
  const hash = createHashModel()
  const { rollouts, runs, worker, errors } = openTestRollouts({
    world,
    model: {
      async complete(request, scope) {
        began()
        await isChanged
        asked.add(request.model)
        return hash.complete(request, scope)
      },
    },
  })
  await worker.start()
  const { id, run } = await rollouts.create(toRollout({ in_flight: 2, version: 'step-0' }))
  await hasBegun
  const now = await rollouts.changePolicy(id, { version: 'step-1', model: { id: 'adapter-1' } })
  expect(now.version).toBe('step-1')
  expect(await rollouts.changePolicy(id, { version: 'step-1', model: {} })).toMatchObject({
    version: 'step-1',
  })
  changed()
  const events = await allGroups(rollouts, id)
  const versions = events.map(({ group }) => group).toSorted((left, right) => left.index - right.index)
  expect(versions[0]?.versions).toContain('step-0')
  expect(versions[0]?.versions).toContain('step-1')
  expect(versions[3]?.versions).toEqual(['step-1'])
  const figures = await rollouts.figures(id, { limit: 10 })
  const lags = new Map(figures.groups.map(({ index, lag }) => [index, lag]))
  expect([lags.get(0), lags.get(3)]).toEqual([1, 0])
  expect([...asked].toSorted()).toEqual(['adapter-1', 'test'])
  expect((await runs.get(run)).request.model.id).toBe('adapter-1')
  const { data } = await runs.episodes(run, { limit: 3 })
  const early = data.find(({ policy }) => policy === 'step-0')
  const stored = await runs.trajectory(run, early?.id ?? '')
  if (!('stored' in stored)) throw new Error('It has ended.')
  const trajectory = await world.objects.get(stored.stored)
  expect(Buffer.from(trajectory?.body ?? []).toString()).not.toContain('adapter-1')
  expect(errors).toEqual([])
  await expect(rollouts.changePolicy(id, { version: 'step-2', model: {} })).rejects.toMatchObject({
    code: 'invalid_state',
  })
})

test('a cancelled rollout delivers the groups that began to end, and says whom they miss', async () => {
  const hash = createHashModel()
  let begun = 0
  let release = (): void => undefined
  const isReleased = new Promise<void>((resolve) => {
    release = resolve
  })
  let blocked = (): void => undefined
  const isBlocked = new Promise<void>((resolve) => {
    blocked = resolve
  })
  const { rollouts, runs, worker } = openTestRollouts({
    world: await openTestWorld(),
    model: {
      async complete(request, scope) {
        const isFirst = request.messages.every(({ role }) => role !== 'assistant')
        const isOfSecond = request.messages.some(({ content }) => String(content).includes('task-1'))
        if (isFirst && isOfSecond) begun += 1
        if (begun < 2) return hash.complete(request, scope)
        blocked()
        await isReleased
        return hash.complete(request, scope)
      },
    },
  })
  await worker.start()
  const { id, run } = await rollouts.create(toRollout({ in_flight: 1 }))
  await isBlocked
  const { groups } = await rollouts.cancel(id)
  release()
  const events = await rollouts.groups(id, { after: 0, limit: 100 })
  expect(groups).toEqual({ total: 4, finished: 2, complete: 1 })
  expect(events.map(({ group }) => group.members.map(({ missing }) => missing))).toEqual([
    [null, null, null],
    [null, 'cancelled', 'cancelled'],
  ])
  expect(events[1]?.group.members.map(({ version }) => version)).toEqual(['0', '0', null])
  await expect(runs.extend(run, { limits: { cost: 9 } })).rejects.toMatchObject({ code: 'invalid_state' })
})

test('the run of a rollout is neither extended nor retried: its groups were delivered', async () => {
  const { rollouts, runs, worker } = openTestRollouts({ world: await openTestWorld() })
  await worker.start()
  const { id, run } = await rollouts.create(toRollout())
  await allGroups(rollouts, id)
  for (const again of [() => runs.extend(run, { episode_limits: { steps: 9 } }), () => runs.retry(run)])
    await expect(again()).rejects.toThrow('Begin another rollout')
})

test.each([
  [{ credit: { advantage: 'magic' } }, 'credit.advantage'],
  [{ credit: { advantages: 'grpo' } }, 'credit.advantages'],
])('a rollout with %j names %s', async (changes, param) => {
  const { rollouts } = openTestRollouts({ world: await openTestWorld() })
  await expect(rollouts.create(toRollout(changes as object))).rejects.toMatchObject({ param })
})

test('a group of one reward has this reward as its mean and no spread, however it is rounded', () =>
  fc.assert(
    fc.property(
      fc.oneof(fc.constantFrom(0.1, 0.7), fc.double({ min: 0, max: 1, noNaN: true })),
      fc.integer({ min: 1, max: 12 }),
      (reward, size) => {
        const episodes = Array.from({ length: size }, (_, place) => endedEpisode(place, 'a', reward))
        expect(rolloutGroupOf('rollout-1', 0, episodes)).toMatchObject({
          flat: true,
          rewards: { mean: reward, std: 0 },
        })
      },
    ),
  ))

describe('the order of groups', () => {
  const anyRollout = fc
    .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 6 }))
    .chain(([size, groups]) => {
      const all = Array.from({ length: size * groups }, (_, index) => index)
      return fc.record({
        size: fc.constant(size),
        groups: fc.constant(groups),
        ends: fc.shuffledSubarray(all),
        rewards: fc.array(fc.constantFrom(0, 1, null), { minLength: all.length, maxLength: all.length }),
      })
    })

  test('has each group once, when its last member has ended; the others are cut off or did not begin', () => {
    fc.assert(
      fc.property(anyRollout, ({ size, groups, ends, rewards }) => {
        const fold = new GroupFold(size)
        for (const [place, index] of ends.entries()) {
          fold.add({
            type: 'episode.ended',
            sequence: place + 1,
            episode: `ep-${String(index).padStart(7, '0')}`,
            result: { reward: rewards[index] },
          } as RunEvent)
        }
        const of = (group: number) => ends.filter((index) => Math.floor(index / size) === group)
        const every = Array.from({ length: groups }, (_, group) => group)
        const full = every.filter((group) => of(group).length === size)
        expect([...fold.finished].toSorted((a, b) => a - b)).toEqual(full)
        expect(fold.cutOff()).toEqual(
          every.filter((group) => of(group).length > 0 && of(group).length < size),
        )
        expect(fold.complete).toBe(
          full.filter((group) => of(group).every((index) => rewards[index] !== null)).length,
        )
        const lastEnds = fold.finished.map((group) =>
          Math.max(...of(group).map((index) => ends.indexOf(index))),
        )
        expect(lastEnds).toEqual(lastEnds.toSorted((a, b) => a - b))
      }),
    )
  })
})
