import { describe, expect, test } from 'vitest'
import type { RowOf } from '../../../../shared/core/contracts/dataset-row.ts'
import { preference } from '../../../../shared/data/datasets/kinds/preference.ts'
import { attemptOf, attemptsOf, groupOf } from '../../../builders/attempts.ts'
import { head, pathOf, picture, rootNode, says, sees, treeNode, treeOf } from '../../../builders/trees.ts'
import { type Findings, findAll, nameOf, scopeOf } from './hand-made.ts'

const expert = attemptOf(pathOf(['get log', 'craft stick']), { source: 'expert', episode: 'x' })
const steps = (count: number) => Array.from({ length: count }, (_, place) => `step ${place}`)

const pairsOf = ({ found }: Findings<RowOf<'preference'>>) =>
  found.map(({ origin, other }) => [origin.attempt.episode, other?.attempt.episode])

describe('against an expert', () => {
  test('the better of the two is chosen, after the head that both were given', async () => {
    const lost = attemptOf(pathOf(['look', 'wait'], 0.5), { episode: 'lost' })
    const { found, out } = await findAll(preference, groupOf([lost], [expert]))
    expect(found).toEqual([
      {
        row: {
          type: 'preference',
          prompt: head,
          chosen: [says('do get log'), sees('saw get log'), says('do craft stick')],
          rejected: [says('do look'), sees('saw look'), says('do wait')],
        },
        origin: { attempt: expert, node_ids: [0, 1, 2] },
        other: { attempt: lost, node_ids: [0, 1, 2] },
      },
    ])
    expect(out).toEqual({})
  })

  test('an attempt that did better than the expert is chosen over it', async () => {
    const poor = attemptOf(pathOf(['get log'], 0.3), { source: 'expert', episode: 'poor' })
    const won = attemptOf(pathOf(['win']), { episode: 'won' })
    expect(pairsOf(await findAll(preference, groupOf([won], [poor])))).toEqual([['won', 'poor']])
  })

  test('the prompt is the chosen side’s, also where another method rendered the task otherwise', async () => {
    const otherHead = [sees('Make a stick.')]
    const lost = attemptOf(pathOf(['look'], 0, otherHead), { episode: 'lost' })
    const { rows } = await findAll(preference, groupOf([lost], [expert]))
    expect(rows[0]?.prompt).toEqual(head)
  })

  test('ties and attempts without a reward give no pair, and are named', async () => {
    const attempts = [
      attemptOf(pathOf(['win']), { episode: 'tie' }),
      attemptOf(pathOf(['stop']), { episode: 'stopped', reward: null, status: 'limited' }),
    ]
    const { rows, out } = await findAll(preference, groupOf(attempts, [expert]))
    expect(rows).toEqual([])
    expect(out).toEqual({ 'run-1/tie': 'no_pair', 'run-1/stopped': 'no_reward', 'expert/x': 'no_pair' })
  })

  test('a rejected side that was explored is cut, with its lineage; an expert’s is left whole', async () => {
    const long = attemptOf(pathOf(steps(20), 0), { episode: 'long' })
    const { found } = await findAll(preference, groupOf([long], [expert]))
    expect(found[0]?.row.rejected).toHaveLength(3 + 10)
    expect(found[0]?.row.rejected.at(-1)).toEqual(says('do step 6'))
    expect(found[0]?.other?.node_ids).toEqual([0, 1, 2, 3, 4, 5, 6, 7])

    const uncut = await findAll(preference, groupOf([long], [expert]), { max_extra_messages: null })
    expect(uncut.rows[0]?.rejected).toHaveLength(39)
    const slow = attemptOf(pathOf(steps(20), 0.5), { source: 'expert' })
    const quick = attemptOf(pathOf(['win']))
    expect((await findAll(preference, groupOf([quick], [slow]))).rows[0]?.rejected).toHaveLength(39)
  })

  test('an attempt whose path cannot be rendered gives no pair, and says why', async () => {
    const seen = treeOf(2, [rootNode, treeNode(0, 'a', { observation: picture }), treeNode(1, 'b')])
    const { rows, out } = await findAll(preference, groupOf(attemptsOf([seen]), [expert]))
    expect(rows).toEqual([])
    expect(out).toEqual({ 'run-1/e0': 'not_text', 'expert/x': 'no_pair' })
  })
})

describe('whom an attempt is held against', () => {
  const attempts = attemptsOf([pathOf(['win']), pathOf(['half'], 0.5), pathOf(['lose'], 0)])
  const withExpert = groupOf(attempts, [expert])
  const others = [
    ['e0', 'e1'],
    ['e0', 'e2'],
    ['e1', 'e2'],
  ]
  const experts = [
    ['x', 'e1'],
    ['x', 'e2'],
  ]

  test('is the expert where one has played the task, and otherwise the other attempts', async () => {
    expect(pairsOf(await findAll(preference, withExpert))).toEqual(experts)
    expect(pairsOf(await findAll(preference, attempts))).toEqual(others)
  })

  test('is what was asked for', async () => {
    expect(pairsOf(await findAll(preference, withExpert, { against: 'both' }))).toEqual([
      ...experts,
      ...others,
    ])
    expect(pairsOf(await findAll(preference, withExpert, { against: 'each-other' }))).toEqual(others)
    const alone = await findAll(preference, attempts, { against: 'expert' })
    expect(alone.out).toEqual({ 'run-1/e0': 'no_expert', 'run-1/e1': 'no_expert', 'run-1/e2': 'no_expert' })
  })

  test('must differ in reward by more than the margin', async () => {
    expect(pairsOf(await findAll(preference, attempts, { margin: 0.5 }))).toEqual([['e0', 'e2']])
    expect((await findAll(preference, attempts, { margin: 0.5 })).out).toEqual({ 'run-1/e1': 'no_pair' })
  })

  test('is read only where a pair can come of it', async () => {
    const unread = attemptOf(pathOf(['win']), { tree: () => Promise.reject(new Error('was read')) })
    expect((await findAll(preference, groupOf([unread], [expert]))).out).toEqual({
      'run-1/e1': 'no_pair',
      'expert/x': 'no_pair',
    })
  })
})

describe('how many pairs a task gives', () => {
  const attempts = attemptsOf(Array.from({ length: 12 }, (_, place) => pathOf([`move ${place}`], place / 12)))

  test('is 32 of the attempts with each other, and all with an expert', async () => {
    expect((await findAll(preference, attempts)).rows).toHaveLength(32)
    const losers = attemptsOf(Array.from({ length: 40 }, (_, place) => pathOf([`move ${place}`], 0)))
    expect((await findAll(preference, groupOf(losers, [expert]))).rows).toHaveLength(40)
  })

  test('can be set; who is drawn depends on the seed and on nothing else', async () => {
    const names = async (order: typeof attempts, seed = 0) => {
      const { found } = await findAll(preference, order, { max_per_task: 5 }, scopeOf(seed))
      return found.map(({ origin, other }) =>
        [origin, other].map((side) => side && nameOf(side.attempt)).join(),
      )
    }
    const drawn = await names(attempts)
    expect(drawn).toHaveLength(5)
    expect(await names(attempts)).toEqual(drawn)
    expect((await names(attempts.toReversed())).toSorted()).toEqual(drawn.toSorted())
    expect((await names(attempts, 1)).toSorted()).not.toEqual(drawn.toSorted())
  })

  test('leaves those out that were not drawn, for that reason', async () => {
    const { found, out } = await findAll(preference, attempts, { max_per_task: 1 })
    expect(found).toHaveLength(1)
    expect(Object.values(out)).toEqual(Array.from({ length: 10 }, () => 'not_chosen'))
  })

  test('is drawn without looking at all pairs, and hardly any tree is read twice', async () => {
    const count = 5000
    let read = 0
    const many = Array.from({ length: count }, (_, place) =>
      attemptOf(pathOf(['a'], place / count), {
        episode: `e${place}`,
        tree: async () => {
          read += 1
          return pathOf([`move ${place}`], place / count)
        },
      }),
    )
    const { rows, out } = await findAll(preference, many)
    expect(rows).toHaveLength(32)
    expect(Object.values(out).every((reason) => reason === 'not_chosen')).toBe(true)
    // One reading of each, and again only what was drawn and is no longer kept.
    expect(read).toBeLessThanOrEqual(count + 2 * 32)
  }, 5000)

  test('reads a way again that was not kept: an expert is held against any number of attempts', async () => {
    const losers = attemptsOf(Array.from({ length: 300 }, (_, place) => pathOf([`move ${place}`], 0)))
    const { rows } = await findAll(preference, groupOf(losers, [expert]))
    const rejected = rows.map((row) => row.rejected[0]?.content).toSorted()
    expect(rejected).toEqual(losers.map((_, place) => `do move ${place}`).toSorted())
    expect(rows.every(({ chosen }) => chosen.length === 3)).toBe(true)
  })
})
