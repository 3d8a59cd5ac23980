import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { ChatModel } from '../../../shared/play/models/chat-model.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import { type PlayOnceOptions, playOnce, treeOf } from '../../support/play-once.ts'
import {
  act,
  type ScriptedStep,
  scriptedEnvironment,
  scriptedModel,
  scriptedRoles,
  trace,
} from '../../support/scripted-episode.ts'

interface Script {
  /** What the policy proposes, by the way to where it is asked; elsewhere x, x, y, y. */
  proposals?: Record<string, string[]>
  /** The judge's grade, by the way to what it judges; elsewhere E. */
  grades?: Record<string, string>
  steps?: Record<string, ScriptedStep>
  method?: Record<string, unknown>
  /** Milliseconds that each answer takes at least. @default 0 */
  delay?: number
}

async function search({ proposals = {}, grades = {}, steps = {}, method = {}, delay = 0 }: Script) {
  const model = scriptedModel(({ role, way }) =>
    role === 'policy'
      ? (proposals[way] ?? ['x', 'x', 'y', 'y']).map(act)
      : `Status code: ${grades[way] ?? 'E'}`,
  )
  const options: PlayOnceOptions = {
    world: await openTestWorld(),
    environment: scriptedEnvironment(steps),
    model: delay === 0 ? model : delayed(model, delay),
    request: { roles: scriptedRoles },
    method: {
      id: 'mcts',
      value: 'judge',
      rubric: false,
      verdicts: 1,
      branching: 2,
      proposals: 4,
      max_steps: 4,
      ...method,
    },
  }
  const { outcome } = await playOnce(options)
  expect(outcome).toEqual({ type: 'ended', limit: null })
  return { options, model, lines: await trace(options) }
}

function delayed(model: ChatModel, milliseconds: number): ChatModel {
  return {
    async complete(...call) {
      await setTimeout(milliseconds)
      return model.complete(...call)
    },
  }
}

/** Up to where the first search decides. */
function firstPlan(lines: readonly string[]): string[] {
  return lines.slice(0, lines.findIndex((line) => line.startsWith('goes')) + 1)
}

/**
 * P(a) = 3/4, P(b) = 1/4 at the root, 1/2 and 1/2 below; c = 1; U(s,a) = Q + c·P·√N(s) / (1 + N(s,a)), and Q + c·P where
 * N(s) = 0 (ExACT, R-MCTS selection). Grades: B 0.9, C 0.5, D 0.2, E 0.
 */
const worked: Script = {
  proposals: { '': ['a', 'b', 'a', 'a'] },
  grades: { a: 'D', b: 'B', 'b/x': 'C', 'b/x/x': 'C' },
}

describe('a search with PUCT, worked by hand', () => {
  test('goes down by Q and prior, backs a running mean up, and commits to the most visited action', async () => {
    const { lines, options } = await search({ ...worked, method: { iterations: 5 } })
    expect(firstPlan(lines)).toEqual([
      // N = 0: U(a) = 0.75, U(b) = 0.25.
      'took a',
      'a is worth 0.2',
      // N = 1: U(a) = 0.2 + 0.75 · 1/2 = 0.575, U(b) = 0.25. At a, N = 0: both 0.5, so the first.
      'took a/x',
      'a/x is worth 0',
      // N = 2: Q(a) = (0.2 + 0)/2; U(a) = 0.1 + 0.75 · √2/3 = 0.454, U(b) = 0.25 · √2 = 0.354.
      // At a, N = 1: U(x) = 0.5 · 1/2 = 0.25, U(y) = 0.5.
      'took a/y',
      'a/y is worth 0',
      // N = 3: U(a) = 0.067 + 0.75 · √3/4 = 0.391, U(b) = 0.25 · √3 = 0.433.
      'took b',
      'b is worth 0.9',
      // N = 4: U(a) = 0.067 + 0.75 · 2/4 = 0.442, U(b) = 0.9 + 0.25 · 2/2 = 1.15.
      'took b/x',
      'b/x is worth 0.5',
      // N(a) = 3, N(b) = 2, though Q(b) = 0.7 is above Q(a) = 0.067.
      'goes a',
    ])
    const { nodes } = await treeOf(options)
    expect(nodes.slice(1, 6).map(({ action, prior }) => [action, prior])).toEqual([
      ['a', 0.75],
      ['x', 0.5],
      ['y', 0.5],
      ['b', 0.25],
      ['x', 0.5],
    ])
  })

  test('of actions visited alike it commits to the one of higher value', async () => {
    const { lines } = await search({ ...worked, method: { iterations: 6 } })
    expect(firstPlan(lines).slice(10)).toEqual([
      // N = 5: U(a) = 0.067 + 0.75 · √5/4 = 0.486, U(b) = 0.7 + 0.25 · √5/3 = 0.886.
      // At b, N = 1: U(x) = 0.5 + 0.5 · 1/2 = 0.75, U(y) = 0.5.
      'took b/x/x',
      'b/x/x is worth 0.5',
      // N(a) = N(b) = 3; Q(b) = 1.9/3, Q(a) = 0.2/3.
      'goes b',
    ])
  })

  test('with the greatest value for Q it holds on to an action that was good once', async () => {
    const { lines } = await search({ ...worked, method: { iterations: 4, backup: 'max' } })
    expect(firstPlan(lines)).toEqual([
      'took a',
      'a is worth 0.2',
      'took a/x',
      'a/x is worth 0',
      // N = 2: Q(a) = max(0.2, 0); U(a) = 0.2 + 0.354 = 0.554.
      'took a/y',
      'a/y is worth 0',
      // N = 3: U(a) = 0.2 + 0.325 = 0.525 stays above U(b) = 0.433. At a, N = 2: x and y alike, so x; at a/x, x.
      'took a/x/x',
      'a/x/x is worth 0',
      'goes a',
    ])
  })

  test('two leaves at a time: the second is chosen as if the first had come back with nothing', async () => {
    const { lines, model } = await search({ ...worked, method: { iterations: 4, parallel: 2 } })
    expect(firstPlan(lines)).toEqual([
      // N = 0: a. Then N = 1 with a under way: U(a) = 0/1 + 0.75 · 1/2 = 0.375, but a is under way itself: b.
      'took a',
      'took b',
      'a is worth 0.2',
      'b is worth 0.9',
      // N = 2: U(a) = 0.2 + 0.75 · √2/2 = 0.730, U(b) = 0.9 + 0.25 · √2/2 = 1.077: b/x.
      // N = 3, one under way at b: U(a) = 0.2 + 0.75 · √3/2 = 0.850, U(b) = 0.9/2 + 0.25 · √3/3 = 0.594: a/x.
      'took b/x',
      'took a/x',
      'b/x is worth 0.5',
      'a/x is worth 0',
      // N(a) = N(b) = 2; Q(b) = 0.7, Q(a) = 0.1.
      'goes b',
    ])
    // The root is expanded first; then both leaves of a wave are proposed at and judged before anything else.
    const ways = model.calls.slice(0, 9).map(({ role, way }) => `${role} ${way}`)
    expect(ways[0]).toBe('policy ')
    expect(ways.slice(1, 5).toSorted()).toEqual(['policy a', 'policy b', 'value a', 'value b'])
    expect(ways.slice(5, 9).toSorted()).toEqual(['policy a/x', 'policy b/x', 'value a/x', 'value b/x'])
  })
})

describe('a state of value 1', () => {
  const solved: Script = {
    proposals: { '': ['a', 'a', 'a', 'b'] },
    grades: { a: 'B', 'a/x': 'B', 'a/x/x': 'A' },
  }

  test('ends the search, and the whole way to it is gone', async () => {
    const { lines } = await search({ ...solved, method: { iterations: 20 } })
    expect(lines).toEqual([
      'took a',
      'a is worth 0.9',
      'took a/x',
      'a/x is worth 0.9',
      'took a/x/x',
      'a/x/x is worth 1',
      'goes a',
      'goes a/x',
      'goes a/x/x',
    ])
  })

  test('is the answer of a search for the whole task, however little visited', async () => {
    const { lines, options } = await search({
      proposals: { '': ['a', 'a', 'a', 'b'] },
      grades: { a: 'D', b: 'A' },
      method: { iterations: 20, plan: 'whole-task' },
    })
    expect(lines.slice(-3)).toEqual(['took b', 'b is worth 1', 'goes b'])
    const tree = await treeOf(options)
    expect(tree.nodes[tree.best]?.action).toBe('b')
  })

  test('that comes back beside others of its wave is still the first of them', async () => {
    const { lines } = await search({
      proposals: { '': ['a', 'a', 'a', 'b'] },
      grades: { a: 'A', b: 'A' },
      method: { iterations: 20, parallel: 2 },
    })
    expect(lines).toEqual(['took a', 'took b', 'a is worth 1', 'b is worth 1', 'goes a'])
  })
})

describe('a search for the whole task', () => {
  const chain: Script = { grades: { x: 'B', 'x/x': 'B', 'x/x/x': 'B' } }

  test('moves its root to the most visited child after every few iterations', async () => {
    const { lines } = await search({
      ...chain,
      grades: { x: 'B', y: 'C' },
      method: { plan: 'whole-task', iterations: 6, advance_every: 2, exploration: 0 },
    })
    // Without exploration Q alone decides, and of equals the first.
    expect(lines).toEqual([
      'took x',
      'x is worth 0.9',
      'took x/x',
      'x/x is worth 0',
      // From x: x/x and x/y have Q = 0, so x/x, and so on down; y, whose Q of 0 is as good, is not looked at any more.
      'took x/x/x',
      'x/x/x is worth 0',
      'took x/x/x/x',
      'x/x/x/x is worth 0',
      'x/x/x/x is worth 0',
      'x/x/x/x is worth 0',
    ])
  })

  test('or as soon as so many descents went through its root, those from before it was the root included', async () => {
    const taken = async (advance: object) => {
      const method = { plan: 'whole-task', iterations: 6, advance_every: 3, max_steps: 6, ...advance }
      const { lines } = await search({ grades: { x: 'B', y: 'C' }, method })
      return lines.filter((line) => line.startsWith('took')).map((line) => line.slice(5))
    }
    // c = 1, P = 1/2. x (0.9), then x/x, since 0.9 + 0.5/2 > 0.5; then y, since 0.45 + 0.5·√2/3 < 0.5·√2. Three: on to x, which
    // one descent went through. From there x/y, and by x/x, of equals the first, x/x/x.
    const alike = ['x', 'x/x', 'y', 'x/y', 'x/x/x']
    // The sixth is the third since the move: from x again, where x/y is less visited.
    expect(await taken({})).toEqual([...alike, 'x/y/x'])
    // With x/x/x three descents have gone through x, so the root moves on to x/x.
    expect(await taken({ advance_counter: 'subtree_size' })).toEqual([...alike, 'x/x/y'])
  })

  test('never goes beyond the longest path, wherever its root has moved', async () => {
    const { lines, model } = await search({
      ...chain,
      method: { plan: 'whole-task', iterations: 12, advance_every: 1, max_steps: 3 },
    })
    const longest = Math.max(...lines.map((line) => line.split('/').length))
    expect(longest).toBe(3)
    expect(model.calls.filter(({ way }) => way.split('/').length >= 3)).toEqual([])
  })

  test('stops where its root has moved to the end of the task', async () => {
    const { lines, model } = await search({
      proposals: { '': ['a'] },
      grades: { a: 'C' },
      steps: { a: { done: true } },
      method: { plan: 'whole-task', iterations: 9, advance_every: 3 },
    })
    expect(lines).toEqual(['took a', ...Array(3).fill('a is worth 0.5')])
    expect(model.calls).toHaveLength(2)
  })
})

describe('a budget of minutes', () => {
  const short = 1e-9
  test.each([
    [{ iterations: 5 }, 4],
    [{ iterations: 5, plan: 'whole-task' }, 1],
    [{ iterations: 5, plan: 'whole-task', advance_every: 2 }, 1],
    [{ id: 'best-first', budget: 5 }, 4],
  ])('that is over at once leaves each search one try: %j', async (method, tries) => {
    const { lines, options } = await search({ delay: 2, method: { time_budget: short, ...method } })
    expect(lines.filter((line) => line.startsWith('took'))).toHaveLength(tries)
    // What was stopped by time is stopped at the same place when the episode is taken up again.
    const before = JSON.stringify(await treeOf(options))
    expect((await playOnce({ ...options, writer: 'other' })).outcome).toEqual({ type: 'ended', limit: null })
    expect(JSON.stringify(await treeOf(options))).toBe(before)
  })

  test('that is never reached changes nothing', async () => {
    const all = { iterations: 6, plan: 'whole-task' }
    const { lines } = await search({ method: { ...all, time_budget: 1440 } })
    expect(lines).toEqual((await search({ method: all })).lines)
  })
})

describe('a path that is given up', () => {
  test('is worth nothing, and no model is asked about it', async () => {
    const { lines, model } = await search({
      proposals: { '': ['a', 'a', 'b', 'b'] },
      grades: { a: 'A', b: 'C' },
      steps: { a: { valid: false } },
      method: { iterations: 2, stop_after_invalid: 1, max_steps: 2 },
    })
    expect(firstPlan(lines)).toEqual(['took a', 'a is worth 0', 'took b', 'b is worth 0.5', 'goes b'])
    expect(model.calls.filter(({ way }) => way === 'a')).toEqual([])
  })

  test('ends an episode that was committed to it', async () => {
    const { lines, model } = await search({
      proposals: { '': ['a'], a: ['a'], 'a/a': ['a'] },
      method: { iterations: 1, stop_after_repeats: 2 },
    })
    expect(lines).toEqual(['took a', 'a is worth 0', 'goes a', 'took a/a', 'a/a is worth 0', 'goes a/a'])
    expect(model.calls.map(({ role, way }) => `${role} ${way}`)).toEqual([
      'policy ',
      'policy a',
      'value a',
      'policy a',
    ])
  })
})

describe('a search that has next to nothing to do', () => {
  test('takes one step where the longest path is one action', async () => {
    const { lines, model } = await search({ method: { iterations: 3, max_steps: 1 } })
    expect(lines).toEqual(['took x', 'x is worth 0', 'took y', 'y is worth 0', 'x is worth 0', 'goes x'])
    expect(model.calls).toHaveLength(1)
  })

  test('goes down the one way there is with a branching of 1, whatever it could do at once', async () => {
    const { lines } = await search({
      method: { iterations: 3, branching: 1, max_steps: 3, parallel: 8, reuse: true },
    })
    expect(firstPlan(lines)).toEqual([
      'took x',
      'x is worth 0',
      'took x/x',
      'x/x is worth 0',
      'took x/x/x',
      'x/x/x is worth 0',
      'goes x',
    ])
  })

  test('goes on where no answer holds an action', async () => {
    const { lines } = await search({
      proposals: { '': [''], '/': [''] },
      method: { iterations: 1, stop_after_invalid: 1000, stop_after_repeats: 1000, max_steps: 2 },
    })
    expect(lines).toEqual(['took ', ' is worth 0', 'goes ', 'took /x', '/x is worth 0', 'goes /x'])
  })

  test('is the plain agent with one iteration and one proposal', async () => {
    const { lines, model } = await search({
      method: { iterations: 1, proposals: 1, branching: 1, max_steps: 2 },
    })
    expect(lines).toEqual(['took x', 'x is worth 0', 'goes x', 'took x/x', 'x/x is worth 0', 'goes x/x'])
    expect(model.calls.filter(({ role }) => role === 'value')).toHaveLength(1)
  })
})
