import { expect, test } from 'vitest'
import { forkRollouts } from '../../../../shared/play/methods/fork-rollouts/fork-rollouts.ts'
import type { ChatRequest } from '../../../../shared/play/models/chat-model.ts'
import { createCorridor } from '../corridor.ts'
import { playKilled, playMethod } from '../play-method.ts'

/** Certain at the start, of two minds at place 1, of three at place 2. */
const answers: Record<string, string[]> = {
  'At 0': ['forward', 'forward', 'forward', 'forward'],
  'At 1': ['forward', 'forward', 'forward', 'look'],
  'At 2': ['look', 'forward', 'back', 'look'],
}

function answer({ messages }: ChatRequest): string[] {
  const [place = 'At 0'] = messages.at(-1)?.content.match(/At \d/) ?? []
  return (answers[place] ?? ['look']).map((action) => `Action: ${action}`)
}

const play = (parameters: object, task = 'goal-9') =>
  playMethod({
    method: forkRollouts,
    environment: createCorridor(),
    task,
    parameters: { samples: 4, max_steps: 3, ...parameters },
    answer,
  })

test('a chain alone is one trajectory of the first answers', async () => {
  const { tree } = await play({ forks: 0 })
  expect(tree.path(tree.best).map(({ action }) => action)).toEqual([null, 'forward', 'forward', 'look'])
  expect(tree.nodes).toHaveLength(4)
})

test('forks begin where the answers differ most, with the actions that were not taken', async () => {
  const { tree } = await play({ forks: 3 })
  const forks = tree.nodes.slice(4).filter(({ parent }, place) => parent !== place + 3)
  expect(forks.map(({ action, depth }) => [depth, action])).toEqual([
    [3, 'forward'],
    [3, 'back'],
    [2, 'look'],
  ])
  expect(tree.path(tree.best).map(({ action }) => action)).toEqual([null, 'forward', 'forward', 'look'])
})

test.each([
  ['entropy', [4, 'forward']],
  ['value-spread', [2, 'look']],
] as const)('by %s, the third fork is %j: the first one solved the task', async (fork_by, third) => {
  const { tree } = await play({ forks: 3, fork_by, max_steps: 4 }, 'goal-3')
  const forks = tree.nodes.slice(5).filter(({ parent }, place) => parent !== place + 4)
  expect(forks[0]?.reward).toBe(1)
  expect(forks.map(({ action, depth }) => [depth, action])).toEqual([[3, 'forward'], [3, 'back'], third])
})

test('at random, each node costs one answer, and each fork plays from a node of the tree to the end', async () => {
  const asked: number[] = []
  const { tree } = await playMethod({
    method: forkRollouts,
    environment: createCorridor(),
    task: 'goal-9',
    parameters: { fork_by: 'random', forks: 5, max_steps: 3 },
    answer: (request) => {
      asked.push(request.n ?? 1)
      return answer(request).slice(0, 1)
    },
  })
  expect(new Set(asked)).toEqual(new Set([1]))
  expect(asked).toHaveLength(tree.nodes.length - 1)
  const parents = new Set(tree.nodes.map(({ parent }) => parent))
  const ends = tree.nodes.filter(({ index }) => !parents.has(index))
  expect(ends.map(({ depth }) => depth)).toEqual([3, 3, 3, 3, 3, 3])
})

test('it ends early if no action is left, and no fork repeats one', async () => {
  const { tree, outcome } = await play({ forks: 100 })
  expect(outcome).toEqual({ type: 'ended', limit: null })
  const edges = tree.nodes.slice(1).map(({ action, parent }) => `${parent} ${action}`)
  expect(new Set(edges).size).toBe(edges.length)
})

test('the answer is the first trajectory, though a fork solved the task', async () => {
  const { tree } = await play({ forks: 2 }, 'goal-3')
  expect(tree.nodes.some(({ reward }) => reward === 1)).toBe(true)
  expect(tree.best.reward).toBe(0)
})

test('more forks go on from those that there are', async () => {
  const [few, many] = [await play({ forks: 1 }), await play({ forks: 3 })]
  expect(many.tree.nodes.slice(0, few.tree.nodes.length).map(({ action }) => action)).toEqual(
    few.tree.nodes.map(({ action }) => action),
  )
  expect(forkRollouts.extendable(forkRollouts.parameters.parse({}))).toEqual(['forks'])
})

test.each(['value-spread', 'random'])('a killed episode by %s comes to the same', async (fork_by) => {
  const { whole, resumed } = await playKilled({
    method: forkRollouts,
    environment: createCorridor(),
    parameters: { chains: 2, forks: 3, samples: 4, max_steps: 3, fork_by },
    answer,
    delay: 4,
  })
  expect(whole.tree.root.children.length).toBeGreaterThan(1)
  expect(resumed.map(({ bytes }) => bytes)).toEqual(resumed.map(() => whole.bytes))
})
