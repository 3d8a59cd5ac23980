import { describe, expect, test } from 'vitest'
import { unpaired } from '../../../../shared/data/datasets/kinds/unpaired.ts'
import { attemptOf, attemptsOf } from '../../../builders/attempts.ts'
import { head, pathOf, rootNode, says, sees, treeNode, treeOf, valuedNode } from '../../../builders/trees.ts'
import { findAll } from './hand-made.ts'

const search = treeOf(3, [
  rootNode,
  valuedNode(0, 'look', 0.5),
  valuedNode(0, 'get log', 0.75),
  valuedNode(2, 'craft stick', 1, { reward: 1, done: true }),
  valuedNode(2, 'craft plank', 0.25, { reward: 0.25, done: true }),
  treeNode(1, 'unseen'),
])

describe('unpaired trajectories', () => {
  test('are whole ways, labelled by success', async () => {
    const attempts = [
      ...attemptsOf([search, pathOf(['lose'], 0.4)]),
      attemptOf(pathOf(['enough'], 0.7), { episode: 'enough', success: true }),
      attemptOf(pathOf(['stop']), { episode: 'stopped', reward: null, success: false, status: 'limited' }),
    ]
    const { rows, out } = await findAll(unpaired, attempts)
    expect(rows).toEqual([
      {
        type: 'unpaired',
        prompt: head,
        completion: [says('do get log'), sees('saw get log'), says('do craft stick')],
        label: true,
      },
      { type: 'unpaired', prompt: head, completion: [says('do lose')], label: false },
      { type: 'unpaired', prompt: head, completion: [says('do enough')], label: true },
    ])
    expect(out).toEqual({ 'run-1/stopped': 'no_reward' })
  })

  test('are labelled by their rewards where bounds are given, and left out between them', async () => {
    const attempts = attemptsOf([0.2, 0.3, 0.6, 0.7].map((reward) => pathOf(['a'], reward)))
    const bounds = { desirable_at: 0.7, undesirable_at: 0.3 }
    const { rows, out } = await findAll(unpaired, attempts, bounds)
    expect(rows.map(({ label }) => label)).toEqual([false, true])
    expect(out).toEqual({ 'run-1/e1': 'undecided', 'run-1/e2': 'undecided' })
  })

  test('are every end of the tree where all are asked for', async () => {
    const { found } = await findAll(unpaired, attemptsOf([search]), { paths: 'ends' })
    expect(found.map(({ row, origin }) => [row.label, origin.node_ids, origin.reward])).toEqual([
      [true, [0, 2, 3], 1],
      [false, [0, 2, 4], 0.25],
    ])
  })

  test('are labelled by a score in place of the reward where one is named', async () => {
    const attempts = attemptsOf([1, 0.2, 0, 1].map((reward) => pathOf(['a'], reward))).map(
      (attempt, place) => {
        const careful = [0.5, 0.9, 0.1][place]
        return careful === undefined ? attempt : { ...attempt, scores: { careful } }
      },
    )
    const stopped = { reward: null, success: false, status: 'limited' as const, scores: { careful: 1 } }
    attempts.push(attemptOf(pathOf(['stop']), { episode: 'stopped', ...stopped }))
    const { found, out } = await findAll(unpaired, attempts, { score: 'careful' })
    expect(found.map(({ origin, row }) => [origin.attempt.episode, row.label])).toEqual([
      ['e0', true],
      ['e1', true],
      ['e2', false],
      ['stopped', true],
    ])
    expect(out).toEqual({ 'run-1/e3': 'no_score' })
    const bounds = { score: 'careful', desirable_at: 0.8, undesirable_at: 0.3 }
    expect((await findAll(unpaired, attempts, bounds)).out).toMatchObject({ 'run-1/e0': 'undecided' })
    for (const other of [{ level: 'step' }, { paths: 'ends' }]) {
      const refused = unpaired.parameters.safeParse({ score: 'careful', ...other })
      expect(refused.error?.issues[0]?.path).toEqual(['score'])
    }
  })

  test('refuse bounds that overlap', () => {
    const overlapping = unpaired.parameters.safeParse({ desirable_at: 0.3, undesirable_at: 0.7 })
    expect(overlapping.error?.issues[0]?.path).toEqual(['undesirable_at'])
  })
})

describe('unpaired steps', () => {
  test('are the answers on the path, labelled by their nodes’ values', async () => {
    const { found } = await findAll(unpaired, attemptsOf([search]), { level: 'step', desirable_at: 0.8 })
    expect(found.map(({ row }) => row)).toEqual([
      { type: 'unpaired', prompt: head, completion: [says('do get log')], label: false },
      {
        type: 'unpaired',
        prompt: [...head, says('do get log'), sees('saw get log')],
        completion: [says('do craft stick')],
        label: true,
      },
    ])
    expect(found.map(({ origin }) => [origin.node_ids, origin.reward])).toEqual([
      [[0, 2], 0.75],
      [[0, 2, 3], 1],
    ])
  })

  test('give one row each, however many ends lie below, and skipped between the bounds', async () => {
    const parameters = { level: 'step', paths: 'ends', desirable_at: 0.9, undesirable_at: 0.6 }
    const { found } = await findAll(unpaired, attemptsOf([search]), parameters)
    expect(found.map(({ row, origin }) => [origin.node_ids.at(-1), row.label])).toEqual([
      [3, true],
      [4, false],
    ])
  })

  test('reach a bound that their value misses only by rounding', async () => {
    const mean = 0.8 - 2e-16
    const tree = treeOf(1, [rootNode, valuedNode(0, 'a', mean, { done: true })])
    const parameters = { level: 'step', desirable_at: 0.8, undesirable_at: 0.5 }
    expect(mean).toBeLessThan(0.8)
    expect((await findAll(unpaired, attemptsOf([tree]), parameters)).rows).toMatchObject([{ label: true }])
  })

  test('need a tree with values', async () => {
    const { out } = await findAll(
      unpaired,
      attemptsOf([treeOf(1, [rootNode, treeNode(0, 'a', { reward: 1 })])]),
      {
        level: 'step',
      },
    )
    expect(out).toEqual({ 'run-1/e0': 'no_values' })
  })
})
