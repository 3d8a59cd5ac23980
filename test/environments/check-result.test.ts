import { describe, expect, test } from 'vitest'
import { findWrongField, findWrongState, largestObservation } from '../../shared/environments/check-result.ts'
import type { PureEnvironment } from '../../shared/environments/environment.ts'
import type { SessionSource } from '../../shared/environments/session-source.ts'
import { createHashModel } from '../support/hash-model.ts'
import { openTestWorld } from '../support/open-test-world.ts'
import { committedEffects, playOnce } from '../support/play-once.ts'
import { createTestEnvironment } from '../support/test-environment.ts'

const right = { observation: 'Ok.', reward: 0.5, done: false, valid: true, progress: 0.5 }

const wrongAnswers: [string, object, string][] = [
  ['reward', { reward: Number.NaN }, 'NaN'],
  ['reward', { reward: Number.POSITIVE_INFINITY }, 'Infinity'],
  ['reward', { reward: '1' }, '"1"'],
  ['reward', { reward: 1.5 }, '1.5'],
  ['progress', { progress: 2 }, '2'],
  ['progress', { progress: Number.NaN }, 'NaN'],
  ['valid', { valid: 1 }, '1'],
  ['done', { done: undefined }, 'undefined'],
  ['observation', { observation: null }, 'null'],
  ['observation', { observation: 'ä'.repeat(largestObservation / 2 + 1) }, '2097154 bytes'],
]

test.each(wrongAnswers)('an answer whose %s is wrong is found: %o', (field, wrong) => {
  expect(findWrongField(right, { reward_range: [0, 1] })).toBeNull()
  expect(findWrongField({ ...right, ...wrong }, { reward_range: [0, 1] })).toMatchObject({ field })
})

test('bounds are those that the environment declares', () => {
  expect(findWrongField({ ...right, reward: -40 }, {})).toBeNull()
  expect(findWrongField({ ...right, reward: -40 }, { reward_range: [-50, 50] })).toBeNull()
  const long = { ...right, observation: 'x'.repeat(largestObservation + 1) }
  expect(findWrongField(long, { max_observation_bytes: largestObservation + 1 })).toBeNull()
  expect(findWrongField(right, { max_observation_bytes: 2 })).toMatchObject({ field: 'observation' })
})

test('a state is a JSON object of bounded size', () => {
  const circle: Record<string, unknown> = {}
  circle.self = circle
  expect(findWrongState({ at: 1 })).toBeNull()
  for (const state of [null, 5, [], undefined, circle, { long: 'x'.repeat(4 * 1024 * 1024) }]) {
    expect(findWrongState(state)).toMatchObject({ field: 'state' })
  }
})

describe.each(wrongAnswers)('a step whose %s is wrong', (field, wrong, came) => {
  const refusal = {
    type: 'failed',
    error: expect.objectContaining({
      name: 'StepResultError',
      message: expect.stringMatching(
        new RegExp(`^The environment test-\\S* ?.*answered step 1 with ${field} = "?${came}`),
      ),
    }),
  }
  const rules = createTestEnvironment(
    {
      reset: () => ({ state: {}, observation: 'Here.' }),
      step: () => ({ state: {}, observation: 'There.', reward: 0, done: false }),
    },
    { reward_range: [0, 1] },
  )
  const environment: PureEnvironment = {
    ...rules,
    id: 'test-wrong',
    open: async (task) => {
      const core = await rules.open(task)
      return { ...core, reset: core.reset, step: () => ({ ...right, state: {}, ...wrong }) as never }
    },
  }

  test('ends an episode that is played in the worker', async () => {
    const world = await openTestWorld()
    const options = { world, environment, model: createHashModel(), method: { id: 'react' } }
    expect((await playOnce(options)).outcome).toMatchObject(refusal)
  })

  test('ends an episode that is played elsewhere, and is not kept', async () => {
    const world = await openTestWorld()
    const result = { ...right, reward: 0, progress: 0, state_hash: null, snapshot: null }
    const live = {
      step: async () => ({ ...result, ...wrong }) as never,
      restore: async () => result,
      close: async () => undefined,
    }
    const sessions: SessionSource = { open: async () => ({ live, result }) as never }
    const options = {
      world,
      environment,
      sessions,
      hosting: 'host' as const,
      model: createHashModel(),
      method: { id: 'react' },
    }
    expect((await playOnce(options)).outcome).toMatchObject(refusal)
    expect((await committedEffects(options)).filter((key) => `${key}`.endsWith('/step'))).toEqual([])
  })
})
