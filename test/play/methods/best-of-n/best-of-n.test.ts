import { expect, test } from 'vitest'
import { bestOfN } from '../../../../shared/play/methods/best-of-n/best-of-n.ts'
import type { ChatRequest } from '../../../../shared/play/models/chat-model.ts'
import { createCorridor } from '../corridor.ts'
import { playKilled, playMethod } from '../play-method.ts'

/** What each attempt does first; then it stands still. A judge goes by what was done first. */
function model(firsts: readonly string[], grades: Record<string, string>) {
  const ways = new Map<number, string>()
  return ({ messages, seed }: ChatRequest): string => {
    const last = messages.at(-1)?.content ?? ''
    if (last.includes('Status code')) {
      const [, first = ''] = /--- Agent, turn 1\nAction: (\w+)/.exec(last) ?? []
      return `Status code: ${grades[first]}`
    }
    if (messages.some(({ role }) => role === 'assistant')) return 'Action: look'
    if (!ways.has(seed)) ways.set(seed, firsts[ways.size % firsts.length] as string)
    return `Action: ${ways.get(seed)}`
  }
}

const play = (firsts: readonly string[], grades: Record<string, string>, parameters: object = {}) =>
  playMethod({
    method: bestOfN,
    environment: createCorridor(),
    parameters: { attempts: firsts.length, max_steps: 2, rubric: false, verdicts: 1, ...parameters },
    answer: model(firsts, grades),
  })

test('whole trajectories are played from the start, and the one that is valued most is the answer', async () => {
  const { tree, outcome } = await play(['look', 'forward', 'back'], { look: 'D', forward: 'B', back: 'E' })
  expect(outcome).toEqual({ type: 'ended', limit: null })
  expect(tree.root.children).toHaveLength(3)
  expect(tree.path(tree.best).map(({ action }) => action)).toEqual([null, 'forward', 'look'])
  expect(tree.best.value_sum).toBe(0.9)
  expect(tree.root).toMatchObject({ visits: 3, value_sum: 0.2 + 0.9 + 0 })
})

test('the first of equals is taken', async () => {
  const { tree } = await play(['look', 'forward', 'back'], { look: 'C', forward: 'B', back: 'B' })
  expect(tree.path(tree.best)[1]?.action).toBe('forward')
})

test('the reward is not seen: an attempt that solved the task is passed over where the judge says so', async () => {
  const { tree } = await playMethod({
    method: bestOfN,
    environment: createCorridor(),
    task: 'goal-1',
    parameters: { attempts: 2, max_steps: 1, rubric: false, verdicts: 1 },
    answer: model(['forward', 'look'], { forward: 'E', look: 'C' }),
  })
  expect(tree.nodes.map(({ reward }) => reward)).toEqual([0, 1, 0])
  expect(tree.best.reward).toBe(0)
  expect(tree.isSolved).toBe(false)
})

test('one after the other, an attempt of value 1 is the last; side by side, all are played', async () => {
  const grades = { look: 'D', forward: 'A', back: 'A' }
  const firsts = ['look', 'forward', 'back', 'look']
  const inTurn = await play(firsts, grades, { parallel: 1 })
  expect(inTurn.tree.root.children).toHaveLength(2)
  const atOnce = await play(firsts, grades)
  expect(atOnce.tree.root.children).toHaveLength(4)
  const inPairs = await play(firsts, grades, { parallel: 2 })
  expect(inPairs.tree.root.children).toHaveLength(2)
})

test('more attempts go on from those that there are, where they were played in whole waves', () => {
  const parse = (given: object) => bestOfN.extendable(bestOfN.parameters.parse(given))
  expect(parse({ attempts: 4, parallel: 2 })).toEqual(['attempts'])
  expect(parse({ attempts: 5, parallel: 2 })).toEqual([])
  expect(parse({ attempts: 5 })).toEqual([])
})

test('a killed episode comes to the same, in whatever order answers come', async () => {
  const { whole, resumed } = await playKilled({
    method: bestOfN,
    environment: createCorridor(),
    parameters: { attempts: 3, parallel: 2, max_steps: 2, rubric: true, verdicts: 2 },
    answer: ({ messages, seed }) => {
      const last = messages.at(-1)?.content ?? ''
      if (last.includes('Status code')) return [`Status code: ${'BCDE'[seed % 4]}`]
      if (last.includes('Checks:')) return 'Checks: 1. Is it there?'
      return `Action: ${seed % 2 === 0 ? 'forward' : 'look'}`
    },
    delay: 4,
  })
  expect(whole.tree.root.children).toHaveLength(3)
  expect(resumed.map(({ bytes }) => bytes)).toEqual(resumed.map(() => whole.bytes))
})
