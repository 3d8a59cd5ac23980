import { expect, test } from 'vitest'
import { greedy } from '../../examples/greedy.ts'
import { createCorridor } from '../play/methods/corridor.ts'
import { playKilled, playMethod } from '../play/methods/play-method.ts'

const bothWays = ['Action: back', 'Action: look', 'Action: forward', 'Action: look']

test('the example takes each different action once, and goes on from the state that got furthest', async () => {
  const { tree, outcome, requests } = await playMethod({
    method: greedy,
    environment: createCorridor(),
    task: 'goal-1',
    answer: () => bothWays,
  })
  expect(outcome).toEqual({ type: 'ended', limit: null })
  expect(requests.map(({ n }) => n)).toEqual([4])
  expect(tree.root.children.map((index) => tree.nodes[index]?.action)).toEqual(['back', 'look', 'forward'])
  expect(tree.isSolved).toBe(true)
  expect(tree.path(tree.best).map(({ action }) => action)).toEqual([null, 'forward'])
})

test('the example stops at max_steps, and its effort bounds its calls', async () => {
  const { requests } = await playMethod({
    method: greedy,
    environment: createCorridor(),
    parameters: { samples: 2, max_steps: 3 },
    answer: () => ['Action: look'],
  })
  const { at_most } = greedy.effort({ samples: 2, max_steps: 3 }, { max_steps: 6, steps: 100 })
  expect(requests).toHaveLength(3)
  expect(at_most.reduce((sum, calls) => sum + calls, 0)).toBe(3)
})

test('the example comes to the same after every kill', async () => {
  const { whole, resumed } = await playKilled({
    method: greedy,
    environment: createCorridor(),
    parameters: { samples: 4, max_steps: 3 },
    answer: () => bothWays,
  })
  expect(whole.tree.nodes).toHaveLength(10)
  expect(resumed.map(({ bytes }) => bytes)).toEqual(resumed.map(() => whole.bytes))
})
