import { describe, expect, test } from 'vitest'
import { stepPreference } from '../../../../shared/data/datasets/kinds/step-preference.ts'
import { attemptOf, attemptsOf, groupOf } from '../../../builders/attempts.ts'
import { head, picture, rootNode, says, sees, treeNode, treeOf, valuedNode } from '../../../builders/trees.ts'
import { findAll, scopeOf } from './hand-made.ts'

const search = treeOf(5, [
  rootNode,
  valuedNode(0, 'look', 0.5),
  valuedNode(0, 'get log', 0.9),
  valuedNode(0, 'sleep', 0),
  treeNode(0, 'unseen'),
  valuedNode(2, 'craft stick', 1, { reward: 1, done: true }),
  valuedNode(2, 'craft plank', 0.25),
])

describe('step preferences', () => {
  test('are the best against the worst child of each node, as one answer each', async () => {
    const { found } = await findAll(stepPreference, attemptsOf([search]))
    expect(found.map(({ row }) => row)).toEqual([
      { type: 'preference', prompt: head, chosen: [says('do get log')], rejected: [says('do sleep')] },
      {
        type: 'preference',
        prompt: [...head, says('do get log'), sees('saw get log')],
        chosen: [says('do craft stick')],
        rejected: [says('do craft plank')],
      },
    ])
    expect(
      found.map(({ origin, other }) => [origin.node_ids, origin.reward, other?.node_ids, other?.reward]),
    ).toEqual([
      [[0, 2], 0.9, [0, 3], 0],
      [[0, 2, 5], 1, [0, 2, 6], 0.25],
    ])
  })

  test('are every two that differ enough, where all are asked for', async () => {
    const { found } = await findAll(stepPreference, attemptsOf([search]), { pairs: 'all', margin: 0.4 })
    expect(found.map(({ origin, other }) => [origin.node_ids.at(-1), other?.node_ids.at(-1)])).toEqual([
      [2, 3],
      [1, 3],
      [5, 6],
    ])
  })

  test('need more than the margin, and visits enough to trust a value', async () => {
    const close = treeOf(1, [rootNode, valuedNode(0, 'a', 0.5), valuedNode(0, 'b', 0.25)])
    const count = async (parameters: object) =>
      (await findAll(stepPreference, attemptsOf([close]), parameters)).rows.length
    expect(await count({ margin: 0.25 })).toBe(0)
    expect(await count({ margin: 0.24 })).toBe(1)
    expect(await count({ margin: 0, min_visits: 2 })).toBe(0)
  })

  test('never set an answer against itself', async () => {
    const same = treeOf(1, [rootNode, valuedNode(0, 'a', 1), valuedNode(0, 'a', 0), valuedNode(0, 'b', 0.5)])
    const { found } = await findAll(stepPreference, attemptsOf([same]))
    expect(found.map(({ row }) => [row.chosen, row.rejected])).toEqual([[[says('do a')], [says('do b')]]])
    const alone = treeOf(1, [rootNode, valuedNode(0, 'a', 1), valuedNode(0, 'a', 0)])
    expect((await findAll(stepPreference, attemptsOf([alone]))).out).toEqual({ 'run-1/e0': 'no_branch' })
  })

  test('are the widest, of equals the first, that say two things', async () => {
    const ends = async (...children: ReturnType<typeof valuedNode>[]) => {
      const { found } = await findAll(stepPreference, attemptsOf([treeOf(1, [rootNode, ...children])]))
      return found.map(({ origin, other }) => [origin.node_ids.at(-1), other?.node_ids.at(-1)])
    }
    expect(
      await ends(valuedNode(0, 'a', 0), valuedNode(0, 'b', 1), valuedNode(0, 'c', 1), valuedNode(0, 'd', 0)),
    ).toEqual([[2, 1]])
    expect(
      await ends(
        valuedNode(0, 'a', 1),
        valuedNode(0, 'b', 0.75),
        valuedNode(0, 'c', 0.5),
        valuedNode(0, 'a', 0),
      ),
    ).toEqual([[2, 4]])
    expect(
      await ends(
        valuedNode(0, 'a', 1),
        valuedNode(0, 'b', 0.5),
        valuedNode(0, 'c', 0.25),
        valuedNode(0, 'a', 0),
      ),
    ).toEqual([[1, 3]])
  })

  test('say of two sides that take the same action that they do, and prefer two actions', async () => {
    const inWords = (name: string, value: number, words: string) =>
      valuedNode(0, name, value, { message: `${words}: ${name}` })
    const pairsOf = async (...children: ReturnType<typeof valuedNode>[]) => {
      const { found } = await findAll(stepPreference, attemptsOf([treeOf(1, [rootNode, ...children])]))
      return found.map(({ origin, other, same_action }) => [
        origin.node_ids.at(-1),
        other?.node_ids.at(-1),
        same_action,
      ])
    }
    expect(await pairsOf(inWords('a', 1, 'I think'), inWords(' a ', 0, 'I guess'))).toEqual([[1, 2, true]])
    expect(
      await pairsOf(inWords('a', 1, 'I think'), inWords('b', 0.5, 'I hope'), inWords('a', 0, 'I guess')),
    ).toEqual([[1, 2, false]])
  })

  test('are no two siblings whose values differ only by rounding', async () => {
    const twins = treeOf(1, [rootNode, valuedNode(0, 'a', 0.7), valuedNode(0, 'b', (6 * 0.7 + 1e-15) / 6)])
    for (const pairs of ['best-worst', 'all'])
      expect((await findAll(stepPreference, attemptsOf([twins]), { margin: 0, pairs })).out).toEqual({
        'run-1/e0': 'no_branch',
      })
  })

  test('are found among any number of siblings', async () => {
    const count = 50_000
    const siblings = Array.from({ length: count }, (_, place) => valuedNode(0, `n${place}`, place / count))
    const wide = attemptsOf([treeOf(1, [rootNode, ...siblings])])
    const { found } = await findAll(stepPreference, wide)
    expect(found.map(({ origin, other }) => [origin.node_ids.at(-1), other?.node_ids.at(-1)])).toEqual([
      [count, 1],
    ])
    const every = stepPreference.rows(
      groupOf(wide),
      stepPreference.parameters.parse({ pairs: 'all' }),
      scopeOf(),
    )
    expect((await every[Symbol.asyncIterator]().next()).value).toHaveProperty('row')
  })

  test('name why an attempt gives none', async () => {
    const path = treeOf(2, [rootNode, valuedNode(0, 'a', 1), valuedNode(1, 'b', 1)])
    const seen = treeOf(2, [
      rootNode,
      valuedNode(0, 'a', 1, { observation: picture }),
      valuedNode(1, 'b', 1),
      valuedNode(1, 'c', 0),
    ])
    const attempts = [
      ...attemptsOf([path, seen]),
      attemptOf(search, { episode: 'stopped', reward: null, status: 'limited' }),
    ]
    const { rows, out } = await findAll(stepPreference, attempts)
    expect(rows).toEqual([])
    expect(out).toEqual({ 'run-1/e0': 'no_branch', 'run-1/e1': 'not_text', 'run-1/stopped': 'no_reward' })
  })
})
