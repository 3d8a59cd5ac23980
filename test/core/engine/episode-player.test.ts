import { describe, expect, test } from 'vitest'
import { createHashEnvironment } from '../../support/hash-environment.ts'
import { createHashModel } from '../../support/hash-model.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import {
  committedEffects,
  type PlayOnceOptions,
  playOnce,
  summarise,
  treeBytes,
} from '../../support/play-once.ts'
import { createTestEnvironment, type TestRules } from '../../support/test-environment.ts'

/** An environment that never ends by itself and pays one quarter for each step, up to one. */
const stairs: TestRules<{ height: number }> = {
  reset: () => ({ state: { height: 0 }, observation: 'ground' }),
  step: ({ height }) => ({
    state: { height: height + 1 },
    observation: `step ${height + 1}`,
    reward: Math.min(1, (height + 1) / 4),
    done: false,
  }),
}
const staircase = createTestEnvironment(stairs, { success_threshold: 10 })

async function climb(more: Partial<PlayOnceOptions> = {}): Promise<PlayOnceOptions> {
  const world = await openTestWorld()
  return { world, environment: staircase, model: createHashModel(), method: { id: 'react' }, ...more }
}

describe('limits', () => {
  test.each([
    ['steps', { steps: 3 }, 3],
    ['turns', { turns: 3 }, 3],
    ['tokens', { tokens: 45 }, 3],
    ['cost', { cost: 0.0015 }, 3],
  ] as const)(
    'a limit on %s stops the function at its next uncommitted effect',
    async (limit, limits, steps) => {
      const options = await climb({ limits })
      const { outcome } = await playOnce(options)
      expect(outcome).toEqual({ type: 'ended', limit })
      const summary = await summarise(options)
      expect(summary?.steps).toBe(steps)
      expect(summary?.reward).toBe(Math.min(1, steps / 4))
      expect(await committedEffects(options)).toHaveLength(steps)
    },
  )

  test('a limit on turns counts the calls that run side by side', async () => {
    const options = await climb({ method: { id: 'mcts', samples: 4 }, limits: { turns: 6 } })
    expect((await playOnce(options)).outcome).toEqual({ type: 'ended', limit: 'turns' })
    expect(await committedEffects(options)).toHaveLength(6)
  })

  test('a limit on time counts the working time in the journal', async () => {
    const options = await climb({ model: createHashModel({ delay: 40 }), limits: { time: 0.1 } })
    const { outcome, journal } = await playOnce(options)
    expect(outcome).toEqual({ type: 'ended', limit: 'time' })
    expect(journal.elapsed).toBeGreaterThanOrEqual(0.1)
  })

  test('a higher limit goes on where the lower one stopped', async () => {
    const options = await climb({ limits: { turns: 2 } })
    await playOnce(options)
    await playOnce({ ...options, limits: { turns: 5 }, writer: 'second' })
    expect((await summarise(options))?.steps).toBe(5)
    const direct = await climb({ limits: { turns: 5 } })
    await playOnce(direct)
    expect(await treeBytes(options)).toBe(await treeBytes(direct))
  })
})

describe('failures', () => {
  test('an environment that throws fails the attempt; what came before stays committed', async () => {
    const environment = createTestEnvironment({
      ...stairs,
      step: (state, action) => {
        if (state.height === 2) throw new Error('The stairs have collapsed.')
        return stairs.step(state, action)
      },
    })
    const options = await climb({ environment })
    const { outcome } = await playOnce(options)
    expect(outcome).toMatchObject({
      type: 'failed',
      effect: null,
      error: { message: 'The stairs have collapsed.' },
    })
    const again = await playOnce({ ...options, writer: 'second' })
    expect(again.outcome).toMatchObject({ type: 'failed', error: { message: 'The stairs have collapsed.' } })
    expect(again.journal.segments).toBe(again.journal.committed.ranges.at(-1)?.to)
  })

  test('a model that fails names the effect, and nothing of the call is committed', async () => {
    const broken = createHashModel()
    let calls = 0
    const options = await climb({
      model: {
        complete: (request, parts) => {
          calls += 1
          return calls === 3 ? Promise.reject(new Error('out of order')) : broken.complete(request, parts)
        },
      },
    })
    const { outcome } = await playOnce(options)
    expect(outcome).toMatchObject({
      type: 'failed',
      effect: 'node/2/sample/0',
      error: { message: 'out of order' },
    })
    expect(await committedEffects(options)).toEqual(['node/0/sample/0', 'node/1/sample/0'])
  })

  test('of calls that run side by side, the ones that succeed are committed although one fails', async () => {
    const hash = createHashModel()
    let calls = 0
    const options = await climb({
      method: { id: 'mcts', samples: 4 },
      model: {
        complete: (request, parts) => {
          calls += 1
          return calls === 1 ? Promise.reject(new Error('out of order')) : hash.complete(request, parts)
        },
      },
    })
    expect((await playOnce(options)).outcome).toMatchObject({ type: 'failed', effect: 'node/0/sample/0' })
    expect((await committedEffects(options)).toSorted()).toEqual(
      [1, 2, 3].map((sample) => `node/0/sample/${sample}`),
    )
  })
})

describe('divergence', () => {
  test('a replay that asks something else under the same key ends the attempt and changes nothing', async () => {
    const options = await climb({ limits: { turns: 3 } })
    await playOnce(options)
    const before = await treeBytes(options)
    const reworded = createTestEnvironment({
      ...stairs,
      reset: () => ({ state: { height: 0 }, observation: 'cellar' }),
    })
    const { outcome } = await playOnce({ ...options, environment: reworded, limits: {}, writer: 'second' })
    expect(outcome).toMatchObject({ type: 'diverged' })
    expect(await treeBytes(options)).toBe(before)
  })

  test('an environment whose rules changed is noticed by the nodes, even where no prompt shows it', async () => {
    const options = await climb({ limits: { turns: 3 } })
    await playOnce(options)
    const richer = createTestEnvironment({
      ...stairs,
      step: (state, action) => ({ ...stairs.step(state, action), reward: 0.9 }),
    })
    const { outcome } = await playOnce({ ...options, environment: richer, limits: {}, writer: 'second' })
    expect(outcome).toMatchObject({ type: 'diverged' })
  })
})

test('the tree of a journal does not depend on who wrote it, when, or in how many turns', async () => {
  const options = { method: { id: 'mcts', iterations: 3, samples: 3 }, environment: createHashEnvironment(7) }
  const [left, right] = [await climb(options), await climb(options)]
  await playOnce(left)
  await playOnce({ ...right, writer: 'somebody else', code: 'another version', limits: { turns: 4 } })
  await playOnce({ ...right, writer: 'a third' })
  expect(await treeBytes(right)).toBe(await treeBytes(left))
  expect(await treeBytes(left)).not.toMatch(/worker|somebody|\d{4}-\d\d-\d\dT/)
})
