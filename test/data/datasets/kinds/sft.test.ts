import { describe, expect, test } from 'vitest'
import { sft } from '../../../../shared/data/datasets/kinds/sft.ts'
import { attemptOf, attemptsOf } from '../../../builders/attempts.ts'
import { head, pathOf, picture, rootNode, says, sees, treeNode, treeOf } from '../../../builders/trees.ts'
import { findAll } from './hand-made.ts'

const search = treeOf(3, [
  rootNode,
  treeNode(0, 'look'),
  treeNode(0, 'get log'),
  treeNode(2, 'craft stick', { reward: 1, done: true }),
  treeNode(2, 'craft plank', { reward: 0.5, terminal: true }),
  treeNode(1, 'buy stick', { reward: 1, done: true }),
  treeNode(1, 'wait', { reward: 1 }),
])

describe('an sft row', () => {
  test('is the path to the answer, without dead ends and without the last observation', async () => {
    const { found } = await findAll(sft, attemptsOf([search]))
    const [system, goal, ok, first] = head
    expect(found).toEqual([
      {
        row: {
          type: 'conversation',
          messages: [
            system,
            goal,
            { ...ok, weight: 0 },
            first,
            { ...says('do get log'), weight: 1 },
            sees('saw get log'),
            { ...says('do craft stick'), weight: 1 },
          ],
        },
        origin: { attempt: expect.objectContaining({ episode: 'e0' }), node_ids: [0, 2, 3] },
      },
    ])
  })

  test('joins the text parts of an observation', async () => {
    const observation = ['one', 'two'].map((text) => ({ type: 'text' as const, text }))
    const tree = treeOf(2, [rootNode, treeNode(0, 'a', { observation }), treeNode(1, 'b', { reward: 1 })])
    const { rows } = await findAll(sft, attemptsOf([tree]))
    expect(rows[0]?.messages[5]).toEqual(sees('one\ntwo'))
  })

  test('is not made where nothing was found, where no model spoke, or where nothing was asked', async () => {
    const nothing = treeOf(0, [{ ...rootNode, reward: 1 }])
    const silent = treeOf(1, [rootNode, treeNode(0, 'a', { message: null, reward: 1 })])
    const unasked = pathOf(['a'], 1, [])
    const { rows, out } = await findAll(sft, attemptsOf([nothing, silent, unasked]))
    expect(rows).toEqual([])
    expect(out).toEqual({
      'run-1/e0': 'no_model_message',
      'run-1/e1': 'no_model_message',
      'run-1/e2': 'no_prompt',
    })
  })

  test('is not made of pictures, but a picture after the last answer does no harm', async () => {
    const seen = treeNode(0, 'a', { observation: picture, reward: 1 })
    const within = treeOf(2, [rootNode, seen, treeNode(1, 'b', { reward: 1 })])
    const { found, out } = await findAll(sft, attemptsOf([within, treeOf(1, [rootNode, seen])]))
    expect(out).toEqual({ 'run-1/e0': 'not_text' })
    expect(found.map(({ origin }) => origin.node_ids)).toEqual([[0, 1]])
  })

  test('is refused for a tree whose parents do not stand before their children', async () => {
    const broken = treeOf(1, [rootNode, treeNode(1, 'a', { reward: 1 })])
    await expect(findAll(sft, attemptsOf([broken]))).rejects.toThrow('broken at node 1')
  })
})

describe('which attempts are imitated', () => {
  const attempts = [
    attemptOf(pathOf(['win']), { episode: 'won' }),
    attemptOf(pathOf(['half'], 0.5), { episode: 'half' }),
    attemptOf(pathOf(['lose'], 0), { episode: 'lost' }),
    attemptOf(pathOf(['cut'], 0.5), { episode: 'cut', status: 'limited' }),
    attemptOf(pathOf(['stop']), { episode: 'stopped', status: 'limited', reward: null, success: false }),
    attemptOf(pathOf(['enough'], 0.7), { episode: 'enough', success: true }),
  ]
  const episodes = ({ found }: { found: { origin: { attempt: { episode: string } } }[] }) =>
    found.map(({ origin }) => origin.attempt.episode)

  test('without a least reward are those that succeeded by their environment’s threshold', async () => {
    const findings = await findAll(sft, attempts)
    expect(episodes(findings)).toEqual(['won', 'enough'])
    expect(findings.out).toEqual({
      'run-1/half': 'failed',
      'run-1/lost': 'failed',
      'run-1/cut': 'limited',
      'run-1/stopped': 'limited',
    })
  })

  test('with a least reward are those that reached it, however they ended', async () => {
    const findings = await findAll(sft, attempts, { min_reward: 0.5 })
    expect(episodes(findings)).toEqual(['won', 'half', 'cut', 'enough'])
    expect(findings.out).toEqual({ 'run-1/lost': 'below_min_reward', 'run-1/stopped': 'no_reward' })
  })

  test('with `best` is one of a task: the highest reward, then the fewest actions, then the first', async () => {
    const trees = [
      pathOf(['half'], 0.5),
      pathOf(['a', 'b', 'c']),
      pathOf(['a', 'b']),
      pathOf(['c', 'd']),
      pathOf(['mute'], 1, []),
    ]
    const findings = await findAll(sft, attemptsOf(trees), { attempts: 'best', min_reward: 0 })
    expect(episodes(findings)).toEqual(['e2'])
    expect(findings.out).toEqual({
      'run-1/e0': 'not_best',
      'run-1/e1': 'not_best',
      'run-1/e3': 'not_best',
      'run-1/e4': 'no_prompt',
    })
  })
})

describe('with every end', () => {
  const ends = { paths: 'ends' }

  test('a row is made of each that is as good as a successful answer, and of no leaf that is no end', async () => {
    const { found } = await findAll(sft, attemptsOf([search]), ends)
    expect(found.map(({ origin }) => [origin.node_ids, origin.reward])).toEqual([
      [[0, 2, 3], 1],
      [[0, 1, 5], 1],
    ])
  })

  test('a search that chose wrongly still gives what it had found', async () => {
    const wrong = { ...search, best: 4 }
    const { found, out } = await findAll(sft, attemptsOf([wrong]), ends)
    expect(out).toEqual({})
    expect(found.map(({ origin }) => origin.node_ids)).toEqual([
      [0, 2, 3],
      [0, 1, 5],
    ])
  })

  test('a least reward decides instead where it is given', async () => {
    const { found } = await findAll(sft, attemptsOf([search]), { ...ends, min_reward: 0.5 })
    expect(found.map(({ origin }) => [origin.node_ids.at(-1), origin.reward])).toEqual([
      [3, 1],
      [4, 0.5],
      [5, 1],
    ])
    const poor = await findAll(sft, attemptsOf([pathOf(['a'], 0.2)]), { ...ends, min_reward: 0.5 })
    expect(poor.out).toEqual({ 'run-1/e0': 'no_good_end' })
  })

  test('`best` counts the actions of the shortest of the best ends', async () => {
    const long = treeOf(3, [
      rootNode,
      treeNode(0, 'a'),
      treeNode(1, 'b'),
      treeNode(2, 'c', { reward: 1, done: true }),
      treeNode(0, 'd', { reward: 1, done: true }),
    ])
    const { found, out } = await findAll(sft, attemptsOf([pathOf(['a', 'b']), long]), {
      ...ends,
      attempts: 'best',
    })
    expect(found.map(({ origin }) => [origin.attempt.episode, origin.node_ids])).toEqual([
      ['e1', [0, 1, 2, 3]],
      ['e1', [0, 4]],
    ])
    expect(out).toEqual({ 'run-1/e0': 'not_best' })
  })
})
