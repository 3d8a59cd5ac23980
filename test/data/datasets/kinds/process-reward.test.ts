import fc from 'fast-check'
import { expect, test } from 'vitest'
import { processReward } from '../../../../shared/data/datasets/kinds/process-reward.ts'
import { attemptOf, attemptsOf } from '../../../builders/attempts.ts'
import { head, rootNode, treeNode, treeOf, valuedNode } from '../../../builders/trees.ts'
import { findAll } from './hand-made.ts'

const search = treeOf(3, [
  { ...rootNode, value: 0.5 },
  valuedNode(0, 'look', 0.5),
  valuedNode(0, 'get log', 0.4),
  valuedNode(2, 'craft stick', 1, { reward: 1, done: true }),
  valuedNode(1, 'sell', 0, { done: true }),
])

test('a path is rendered step by step, each with its value and whether that reaches the threshold', async () => {
  const { found, out } = await findAll(processReward, attemptsOf([search]))
  expect(out).toEqual({})
  expect(found.map(({ row }) => row)).toEqual([
    {
      type: 'process',
      prompt: head,
      completions: ['do get log', 'saw get log\ndo craft stick'],
      labels: [false, true],
      values: [0.4, 1],
    },
    {
      type: 'process',
      prompt: head,
      completions: ['do look', 'saw look\ndo sell'],
      labels: [true, false],
      values: [0.5, 0],
    },
  ])
  expect(found.map(({ origin }) => [origin.node_ids, origin.reward])).toEqual([
    [[0, 2, 3], 1],
    [[0, 1, 4], 0],
  ])
})

test('a step that raises the value is good by `increase`, one that keeps it only where it is high', async () => {
  const { rows } = await findAll(processReward, attemptsOf([search]), { labels: 'increase' })
  expect(rows.map(({ labels }) => labels)).toEqual([
    [false, true],
    [true, false],
  ])
  const flat = treeOf(2, [
    { ...rootNode, value: 0.2 },
    valuedNode(0, 'a', 0.2),
    valuedNode(1, 'b', 0.3, { done: true }),
  ])
  const low = await findAll(processReward, attemptsOf([flat]), { labels: 'increase' })
  expect(low.rows[0]?.labels).toEqual([false, true])
})

test('means of equal values are equal and reach this value, however often each step was visited', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(10).map((tenths) => tenths / 10),
      fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 2, maxLength: 5 }),
      fc.nat(10).map((tenths) => tenths / 10),
      async (value, visits, threshold) => {
        const means = visits.map(
          (count) => Array.from({ length: count }, () => value).reduce((sum, each) => sum + each, 0) / count,
        )
        const [root = 0, ...steps] = means
        const nodes = steps.map((mean, place) =>
          valuedNode(place, `n${place}`, mean, { done: place === steps.length - 1 }),
        )
        const attempts = attemptsOf([treeOf(nodes.length, [{ ...rootNode, value: root }, ...nodes])])
        for (const labels of ['increase', 'threshold'])
          for (const bar of [threshold, value]) {
            const { rows } = await findAll(processReward, attempts, { labels, threshold: bar })
            expect(rows.map((row) => row.labels)).toEqual([steps.map(() => value >= bar)])
          }
      },
    ),
  )
})

test('steps that were judged have these values, each path as far as all its steps were judged', async () => {
  const judged = attemptsOf([search, search, search, search]).map((attempt, place) => ({
    ...attempt,
    steps: [{ 1: 1, 2: 0, 3: 0.75 }, { 2: 1 }, { 3: 1 }, {}][place] ?? {},
  }))
  const { found, out } = await findAll(processReward, judged, { judged: 'helpful', paths: 'answer' })
  expect(
    found.map(({ row, origin }) => [origin.attempt.episode, row.values, row.labels, origin.reward]),
  ).toEqual([
    ['e0', [0, 0.75], [false, true], 1],
    // Nothing is known of its last step, and so nothing of how it ended.
    ['e1', [1], [true], null],
  ])
  expect(out).toEqual({ 'run-1/e2': 'no_score', 'run-1/e3': 'no_score' })
  const refused = processReward.parameters.safeParse({ judged: 'helpful', labels: 'increase' })
  expect(refused.error?.issues[0]?.path).toEqual(['labels'])
})

test('only the path to the answer gives a row where only it is asked for', async () => {
  const { found } = await findAll(processReward, attemptsOf([search]), { paths: 'answer', threshold: 0.4 })
  expect(found.map(({ row, origin }) => [origin.node_ids, row.labels])).toEqual([
    [
      [0, 2, 3],
      [true, true],
    ],
  ])
})

test('a path is rendered as far as it was visited, and paths that are equal so far once', async () => {
  const tail = treeOf(0, [
    rootNode,
    valuedNode(0, 'a', 0.5),
    treeNode(1, 'b', { done: true }),
    treeNode(1, 'c', { done: true }),
    treeNode(0, 'd', { done: true }),
  ])
  const { found } = await findAll(processReward, attemptsOf([tail]))
  expect(found.map(({ origin, row }) => [origin.node_ids, row.values, origin.reward])).toEqual([
    [[0, 1], [0.5], null],
  ])
})

test('attempts without values, without ends and without a reward are left out for it', async () => {
  const attempts = [
    attemptOf(treeOf(1, [rootNode, treeNode(0, 'a', { done: true })]), { episode: 'plain' }),
    attemptOf(treeOf(0, [rootNode, valuedNode(0, 'a', 1)]), { episode: 'open' }),
    attemptOf(search, { episode: 'stopped', reward: null, status: 'limited' }),
  ]
  const { rows, out } = await findAll(processReward, attempts)
  expect(rows).toEqual([])
  expect(out).toEqual({
    'run-1/plain': 'no_values',
    'run-1/open': 'no_end',
    'run-1/stopped': 'no_reward',
  })
})
