import { describe, expect, test } from 'vitest'
import { openTestWorld } from '../../support/open-test-world.ts'
import { type PlayOnceOptions, playOnce } from '../../support/play-once.ts'
import {
  act,
  type ScriptedStep,
  scriptedEnvironment,
  scriptedModel,
  scriptedRoles,
  trace,
} from '../../support/scripted-episode.ts'

interface Script {
  /** Elsewhere x, y. */
  proposals?: Record<string, string[]>
  /** Elsewhere E. */
  grades?: Record<string, string>
  steps?: Record<string, ScriptedStep>
  method: { id: string; [parameter: string]: unknown }
}

async function search({ proposals = {}, grades = {}, steps = {}, method }: Script) {
  const model = scriptedModel(({ role, way }) =>
    role === 'policy' ? (proposals[way] ?? ['x', 'y']).map(act) : `Status code: ${grades[way] ?? 'E'}`,
  )
  const options: PlayOnceOptions = {
    world: await openTestWorld(),
    environment: scriptedEnvironment(steps),
    model,
    request: { roles: scriptedRoles },
    method: { rubric: false, verdicts: 1, branching: 2, proposals: 2, max_steps: 6, ...method },
  }
  const { outcome } = await playOnce(options)
  expect(outcome).toEqual({ type: 'ended', limit: null })
  const lines = await trace(options)
  const taken = lines.filter((line) => line.startsWith('took')).map((line) => line.slice(5))
  const gone = lines.filter((line) => line.startsWith('goes')).map((line) => line.slice(5))
  return { lines, taken, gone, asked: model.calls.map(({ role, way }) => `${role} ${way}`) }
}

describe('best-first search (Koh et al. 2024, section 3)', () => {
  const grades = { x: 'D', y: 'C', 'y/x': 'D', 'y/y': 'D', 'x/x': 'B' }

  test('tries next what was proposed in the best state, of equals what has waited longest', async () => {
    const { lines } = await search({ grades, method: { id: 'best-first', budget: 6 } })
    expect(lines.slice(0, 13)).toEqual([
      // Both wait at 0.5, the value that a start is given.
      'took x',
      'x is worth 0.2',
      // y at 0.5 goes before x/x and x/y at 0.2.
      'took y',
      'y is worth 0.5',
      'took y/x',
      'y/x is worth 0.2',
      'took y/y',
      'y/y is worth 0.2',
      // Six wait at 0.2: x/x, x/y, then those below y/x and y/y.
      'took x/x',
      'x/x is worth 0.9',
      'took x/x/x',
      'x/x/x is worth 0',
      // The whole way to the best state that was seen.
      'goes x/x',
    ])
  })

  test('begins again where it went, until the longest path', async () => {
    const { gone, taken } = await search({
      proposals: { '': ['x'], x: ['x'], 'x/x': ['x'] },
      method: { id: 'best-first', budget: 2, max_steps: 3 },
    })
    // Nothing is worth anything, so the first state of each look-ahead is the best, and the next begins there.
    expect(gone).toEqual(['x', 'x/x', 'x/x/x'])
    expect(taken).toEqual(['x', 'x/x', 'x/x', 'x/x/x', 'x/x/x'])
  })

  test('looks at no state a second time, and proposes nothing at the longest path', async () => {
    const { asked } = await search({
      proposals: { '': ['x'], x: ['x'], 'x/x': ['x'] },
      grades: { x: 'D', 'x/x': 'C', 'x/x/x': 'B' },
      method: { id: 'best-first', budget: 9, max_steps: 2 },
    })
    // x/x is as far as it may get: worth nothing, and no model is asked.
    expect(asked).toEqual(['policy ', 'value x', 'policy x', 'policy x'])
  })

  test('tries no more actions than its budget, also where several are tried at once', async () => {
    const { lines } = await search({ grades, method: { id: 'best-first', budget: 3, parallel: 2 } })
    expect(lines.slice(0, 7)).toEqual([
      'took x',
      'took y',
      'x is worth 0.2',
      'y is worth 0.5',
      'took y/x',
      'y/x is worth 0.2',
      'goes y',
    ])
  })

  test.each([
    [0, 1],
    [1, 2],
    [3, 4],
  ])('looks ahead %i actions beyond the first: to depth %i', async (max_depth, deepest) => {
    const { lines } = await search({ method: { id: 'best-first', budget: 1000, max_depth, max_steps: 6 } })
    const first = lines.slice(
      0,
      lines.findIndex((line) => line.startsWith('goes')),
    )
    const depths = first.map((line) => line.replace(/^took /, '').split('/').length)
    expect(Math.max(...depths)).toBe(deepest)
    // All of a tree that branches in two, without its root.
    expect(first.filter((line) => line.startsWith('took'))).toHaveLength(2 ** (deepest + 1) - 2)
  })

  test('is done with a state of value 1, and goes the whole way to it', async () => {
    const { gone, asked } = await search({
      grades: { x: 'C', 'x/x': 'A' },
      method: { id: 'best-first', budget: 20 },
    })
    expect(gone).toEqual(['x/x'])
    expect(asked.at(-1)).toBe('value x/x')
  })

  test('asks the policy nothing where a task ended, but the judge how it ended', async () => {
    const { asked, gone } = await search({
      grades: { x: 'D', y: 'E' },
      steps: { x: { done: true }, y: { done: true } },
      method: { id: 'best-first', budget: 20 },
    })
    expect(asked).toEqual(['policy ', 'value x', 'value y'])
    expect(gone).toEqual(['x'])
  })

  test('goes to the least bad state where all are worse than nothing', async () => {
    const { gone } = await search({
      grades: { x: 'E', y: 'D' },
      steps: { x: { done: true }, y: { done: true } },
      method: { id: 'best-first', budget: 20, scale: 'desktop' },
    })
    expect(gone).toEqual(['y'])
  })

  test('gives up a path without a call', async () => {
    const { asked, lines } = await search({
      grades: { y: 'D' },
      steps: { x: { valid: false }, y: { done: true } },
      method: { id: 'best-first', budget: 20, stop_after_invalid: 1 },
    })
    expect(lines).toEqual(['took x', 'x is worth 0', 'took y', 'y is worth 0.2', 'goes y'])
    expect(asked).toEqual(['policy ', 'value y'])
  })
})

describe('tree of thoughts', () => {
  const grades = { x: 'E', y: 'C' }

  test('breadth first tries what was proposed first, whatever it is worth', async () => {
    const { taken } = await search({ grades, method: { id: 'tree-of-thoughts', budget: 6 } })
    expect(taken.slice(0, 6)).toEqual(['x', 'y', 'x/x', 'x/y', 'y/x', 'y/y'])
  })

  test('depth first tries what was proposed last, of one state the most frequent first', async () => {
    const { gone, taken } = await search({
      grades,
      proposals: { '': ['y', 'x', 'x'] },
      method: { id: 'tree-of-thoughts', order: 'depth', budget: 6, max_depth: 2, proposals: 3 },
    })
    // Down to depth 3, and back up; the budget is spent before y is reached.
    expect(taken.slice(0, 6)).toEqual(['x', 'x/x', 'x/x/x', 'x/x/y', 'x/y', 'x/y/x'])
    expect(gone[0]).toBe('x')
  })
})
