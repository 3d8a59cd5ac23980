import { expect, test } from 'vitest'
import type { LearnedAction } from '../../../../shared/core/contracts/library.ts'
import { learnact } from '../../../../shared/play/methods/learnact/learnact.ts'
import { observationText } from '../../../../shared/play/search/conversation.ts'
import { createCorridor } from '../corridor.ts'
import { makeAction, walk } from '../make-action.ts'
import { playMethod } from '../play-method.ts'

/** Takes these actions in turn, and returns the nodes they led to. */
async function take(texts: readonly string[], actions: readonly LearnedAction[], task = 'goal-3') {
  const { tree, outcome } = await playMethod({
    method: learnact,
    parameters: { library: 'lib-x', max_steps: texts.length },
    environment: createCorridor(),
    task,
    actions,
    answer: ({ messages }) => `Action: ${texts[messages.filter(({ role }) => role === 'assistant').length]}`,
  })
  expect(outcome).toEqual({ type: 'ended', limit: null })
  return {
    tree,
    nodes: tree.nodes.slice(1).map((node) => ({ ...node, seen: observationText(node.observation) })),
  }
}

test('a call is one step of the agent, and shows what each of its steps showed', async () => {
  const { tree, nodes } = await take(['walk(2, "forward")', 'forward'], [walk])
  expect(nodes).toMatchObject([
    { depth: 1, seen: 'At 1.\nAt 2.', valid: true, reward: 0, done: false },
    { depth: 2, seen: 'At 3.', reward: 1, done: true },
  ])
  expect(nodes[0]?.primitives).toEqual([
    { action: 'forward', observation: 'At 1.', reward: 0, valid: true },
    { action: 'forward', observation: 'At 2.', reward: 0, valid: true },
  ])
  expect(tree.steps).toBe(3)
  expect(tree.isSolved).toBe(true)
})

test('a call that fails leaves the state as it was before its first step', async () => {
  const { nodes, tree } = await take(['forward', 'walk(3, "back")', 'forward'], [walk])
  expect(nodes.map(({ seen }) => seen)).toEqual([
    'At 1.',
    'The call failed and changed nothing: Nothing happens.',
    'At 2.',
  ])
  expect(nodes[1]).toMatchObject({ valid: false, reward: 0, done: false, state_hash: nodes[0]?.state_hash })
  expect(nodes[1]?.primitives?.map(({ valid }) => valid)).toEqual([true, false])
  expect(tree.steps).toBe(4)
})

test('a call stops where the task is done, whatever it would do then', async () => {
  const { nodes } = await take(['walk(5, "forward")'], [walk])
  expect(nodes).toMatchObject([{ seen: 'At 1.\nAt 2.\nAt 3.', reward: 1, done: true, valid: true }])
})

test('a call that ends in a disaster has ended there', async () => {
  const { nodes } = await take(['walk(12, "forward")'], [walk], 'goal-20')
  expect(nodes).toMatchObject([{ reward: 0, done: true, disaster: true }])
  expect(nodes[0]?.primitives).toHaveLength(10)
})

test('a call that does nothing, or leaves everything as it was, has failed', async () => {
  const idle = makeAction('function idle() { return 1 }')
  const look = makeAction('function lookTwice() { act("look"); act("look") }')
  const { nodes } = await take(['look', 'idle()', 'look', 'lookTwice()'], [idle, look])
  expect(nodes.map(({ seen, valid }) => [seen, valid])).toEqual([
    ['At 0.', true],
    ['The call failed and changed nothing: it did nothing.', false],
    ['At 0.', true],
    ['The call failed and changed nothing: it does not change any state.', false],
  ])
})

test('a function can go on after an action that was refused', async () => {
  const careful = makeAction('function careful() { try { act("back") } catch (error) { act("forward") } }')
  const { nodes } = await take(['careful()'], [careful])
  expect(nodes).toMatchObject([{ seen: 'Nothing happens.\nAt 1.', valid: true }])
})

test('what looks like a call of a function that there is not is a plain step, of which the environment complains', async () => {
  const { nodes } = await take(['run(2)', 'sidewalk(2)'], [walk])
  expect(nodes.map(({ seen, primitives }) => [seen, primitives])).toEqual([
    ['Nothing happens.', undefined],
    ['Nothing happens.', undefined],
  ])
})

test('a call that cannot be read has failed, and the agent sees how calls are written', async () => {
  const texts = ['walk(one)', 'walk(1, "forward"', 'walk(1, "forward") and look', 'forward']
  const { nodes, tree } = await take(texts, [walk])
  const seen =
    'The call failed and changed nothing: a call stands alone, and its arguments are texts in quotes, numbers, or lists of these.'
  const failed = { seen, valid: false, primitives: [], state_hash: tree.root.state_hash }
  expect(nodes).toMatchObject([failed, failed, failed, { seen: 'At 1.' }])
  expect(tree.steps).toBe(1)
})

test('a function that never ends, or eats memory, is stopped, and changes nothing', async () => {
  const actions = [
    makeAction('function forever() { act("forward"); for (;;) {} }'),
    makeAction(
      'function hoard() { act("forward"); const all = []; for (;;) all.push("x".repeat(1e6) + all.length) }',
    ),
    makeAction('function wander() { for (;;) { act("forward"); act("back") } }'),
  ]
  const { nodes } = await take(['forever()', 'hoard()', 'wander()', 'forward'], actions)
  expect(nodes.map(({ valid }) => valid)).toEqual([false, false, false, true])
  expect(nodes.at(-1)?.seen).toBe('At 1.')
  expect(nodes[2]?.primitives).toHaveLength(50)
})
