import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ConversationRow } from '../../../../shared/core/contracts/dataset-row.ts'
import type { Json } from '../../../../shared/core/contracts/json.ts'
import type { Tree } from '../../../../shared/core/contracts/tree.ts'
import { seededRandom } from '../../../../shared/core/random/seeded-random.ts'
import type { Attempt } from '../../../../shared/data/datasets/attempt.ts'
import { choosePairs } from '../../../../shared/data/datasets/kinds/revision/choose-pairs.ts'
import { revision, revisionSentences } from '../../../../shared/data/datasets/kinds/revision/revision.ts'
import { treeEnds } from '../../../../shared/data/datasets/kinds/revision/tree-ends.ts'
import { pathTo } from '../../../../shared/data/datasets/path-to.ts'
import { attemptOf, attemptsOf, groupOf } from '../../../builders/attempts.ts'
import { head, picture, rootNode, says, sees, treeNode, treeOf } from '../../../builders/trees.ts'
import { anyAttempts, anyTree, findAll, nameOf, scopeOf } from './hand-made.ts'

const ended = { done: true, terminal: true }
/** After `cut`, what is pressed becomes good and what is burnt does not. */
const tree = treeOf(3, [
  rootNode,
  treeNode(0, 'cut'),
  treeNode(1, 'press'),
  treeNode(2, 'craft', { reward: 1, ...ended }),
  treeNode(1, 'burn'),
  treeNode(4, 'stir'),
  treeNode(5, 'sell', { reward: 0.1, ...ended }),
])
const endOnly = { first_error: 'end' }

/** An attempt whose pair was drawn, and whose bad path was judged so. */
function judged(judgements: Record<number, string>, drawn = [[3, 6]], of: Tree = tree): Attempt {
  const answers = new Map<string, Json>([['pairs', drawn]])
  for (const [position, verdict] of Object.entries(judgements)) {
    answers.set(`judge/${position}`, `Reasons: r.\nJudgement: ${verdict}`)
  }
  return attemptOf(of, { annotation: async () => answers })
}

/** The turns after the head, each with its weight. */
const turns = ({ messages }: ConversationRow) =>
  messages.slice(head.length).map(({ role, content, weight }) => `${role} ${weight ?? '-'}: ${content}`)

const notice = expect.stringMatching(/^assistant 1: Thought: .+\nAction: wait$/)

describe('a bad path is left', () => {
  test('after its first error, which stands in the row with what came of it', async () => {
    const { found } = await findAll(revision, [judged({ 1: 'Good', 4: 'Bad' })])
    expect(found.map(({ row }) => turns(row))).toEqual([
      [
        'assistant 0: do cut',
        'user -: saw cut',
        'assistant 0: do burn',
        'user -: saw burn',
        notice,
        'user -: ok.',
        'assistant 1: do press',
        'user -: saw press',
        'assistant 1: do craft',
      ],
    ])
    expect(found[0]).toMatchObject({
      origin: { node_ids: [2, 3], reward: 1 },
      other: { node_ids: [0, 1, 4], reward: 0.1 },
    })
    expect(found[0]?.row.messages.slice(0, head.length)).toEqual(
      head.map((message) => (message.role === 'assistant' ? { ...message, weight: 0 } : message)),
    )
  })

  test('at its end where no step was judged to be bad: what is uncertain is passed', async () => {
    const { rows } = await findAll(revision, [judged({ 1: 'Good', 4: 'Uncertain', 5: 'good', 6: 'Good' })])
    expect(rows[0] && turns(rows[0]).filter((turn) => turn.startsWith('assistant'))).toEqual([
      'assistant 0: do cut',
      'assistant 0: do burn',
      'assistant 0: do stir',
      'assistant 0: do sell',
      notice,
      'assistant 1: do press',
      'assistant 1: do craft',
    ])
  })

  test('at its end where that is asked for, without a model', async () => {
    expect(revision.annotator?.(revision.parameters.parse(endOnly))).toBeNull()
    const { found } = await findAll(revision, [attemptOf(tree)], endOnly)
    expect(found.map(({ other }) => other?.node_ids)).toEqual([[0, 1, 4, 5, 6]])
  })

  test('inside of what both paths share: the rest of the good path follows at once', async () => {
    const { rows, found } = await findAll(revision, [judged({ 1: 'Bad' })])
    expect(rows[0] && turns(rows[0]).filter((turn) => turn.startsWith('assistant'))).toEqual([
      'assistant 0: do cut',
      notice,
      'assistant 1: do press',
      'assistant 1: do craft',
    ])
    expect(found[0]?.other?.node_ids).toEqual([0, 1])
  })

  test('and what the good path did alike in nodes of its own is not repeated', async () => {
    const sideBySide = treeOf(2, [
      rootNode,
      treeNode(0, 'cut'),
      treeNode(1, 'craft', { reward: 1, ...ended }),
      treeNode(0, 'cut'),
      treeNode(3, 'burn', ended),
    ])
    const { found } = await findAll(revision, [attemptOf(sideBySide)], endOnly)
    expect(found.map(({ origin, other }) => [origin.node_ids, other?.node_ids])).toEqual([[[2], [0, 3, 4]]])
  })

  test('with the action that was chosen for the pause', async () => {
    const { rows } = await findAll(revision, [attemptOf(tree)], { ...endOnly, pause_action: 'look' })
    expect(rows[0]?.messages.filter(({ content }) => content.endsWith('\nAction: look'))).toHaveLength(1)
  })
})

describe('an attempt gives no row', () => {
  const reasons = async (attempts: readonly Attempt[], parameters: object = endOnly) =>
    Object.values((await findAll(revision, attempts, parameters)).out)
  const single = (rest: object) => treeOf(1, [rootNode, treeNode(0, 'craft', { ...ended, ...rest })])

  test('without a path that ends well enough: more than alpha, or as well where that is enough', async () => {
    const half = treeOf(1, [rootNode, treeNode(0, 'a', { reward: 0.5, ...ended }), treeNode(0, 'b', ended)])
    expect(await reasons([attemptOf(half)])).toEqual(['no_good_end'])
    expect(await reasons([attemptOf(half)], { ...endOnly, alpha_inclusive: true })).toEqual([])
    expect(await reasons([attemptOf(single({ reward: 0 }))], { ...endOnly, alpha: 0 })).toEqual([
      'no_good_end',
    ])
  })

  test('by the thresholds of its iteration, of which the last holds from then on', async () => {
    const half = [
      attemptOf(treeOf(1, [rootNode, treeNode(0, 'a', { reward: 0.6, ...ended }), treeNode(0, 'b', ended)])),
    ]
    const schedule = { ...endOnly, alpha_by_iteration: [0.5, 0.7], beta_by_iteration: [0.2, 0.5, 0.6] }
    expect(await reasons(half, { ...schedule, iteration: 1 })).toEqual([])
    expect(await reasons(half, { ...schedule, iteration: 2 })).toEqual(['no_good_end'])
    expect(await reasons(half, { ...schedule, iteration: 9 })).toEqual(['no_good_end'])
    const alike = { ...schedule, alpha_by_iteration: [0.5] }
    expect(await reasons(half, { ...alike, iteration: 2 })).toEqual([])
    expect(await reasons(half, { ...alike, iteration: 3 })).toEqual(['no_worse_end'])
  })

  test('without one that ends worse by more than beta', async () => {
    const close = treeOf(1, [
      rootNode,
      treeNode(0, 'a', { reward: 1, ...ended }),
      treeNode(0, 'b', { reward: 0.75, ...ended }),
    ])
    expect(await reasons([attemptOf(close)], { ...endOnly, beta: 0.25 })).toEqual(['no_worse_end'])
    expect(await reasons([attemptOf(close)], { ...endOnly, beta: 0.24 })).toEqual([])
  })

  test('where the model was not asked', async () => {
    expect(await reasons([attemptOf(tree)], {})).toEqual(['not_asked'])
  })

  test('that money or time ended, whatever its tree holds', async () => {
    const stopped = attemptOf(tree, { reward: null, status: 'limited' })
    expect(await reasons([stopped])).toEqual(['no_reward'])
    expect(await reasons([stopped], {})).toEqual(['no_reward'])
  })

  test('where its good paths cannot be rendered', async () => {
    const shown = treeOf(2, [
      rootNode,
      treeNode(0, 'look', { observation: picture }),
      treeNode(1, 'a', { reward: 1, ...ended }),
      treeNode(0, 'b', ended),
    ])
    expect(await reasons([attemptOf(shown)])).toEqual(['not_text'])
    expect(await reasons([attemptOf(single({ reward: 1, message: null }))])).toEqual(['no_model_message'])
    expect(await reasons([attemptOf({ ...tree, messages: [] })])).toEqual(['no_prompt'])
  })

  test('at an end where a search only stopped looking', async () => {
    const open = treeOf(1, [rootNode, treeNode(0, 'a', { reward: 1, ...ended }), treeNode(0, 'b')])
    expect(await reasons([attemptOf(open)])).toEqual(['no_worse_end'])
  })
})

test('good paths are rows of their own where they are asked for', async () => {
  const { found } = await findAll(revision, [attemptOf(tree)], { ...endOnly, include_good: true })
  const good = found.filter(({ other }) => other === undefined)
  expect(good.map(({ row }) => row.messages)).toEqual([
    [
      ...head.map((message) => (message.role === 'assistant' ? { ...message, weight: 0 } : message)),
      { ...says('do cut'), weight: 1 },
      sees('saw cut'),
      { ...says('do press'), weight: 1 },
      sees('saw press'),
      { ...says('do craft'), weight: 1 },
    ],
  ])
  expect(good[0]?.origin).toMatchObject({ node_ids: [0, 1, 2, 3], reward: 1 })
})

test('alpha 1 can only be reached, not exceeded, and the parameter says so', () => {
  expect(revision.parameters.safeParse({ alpha: 1 }).error?.issues[0]?.message).toContain('alpha_inclusive')
  expect(revision.parameters.safeParse({ alpha: 1, alpha_inclusive: true }).success).toBe(true)
  const paper = { alpha_by_iteration: [0.5, 0.7, 1] }
  expect(revision.parameters.safeParse({ ...paper, iteration: 2 }).success).toBe(true)
  expect(revision.parameters.safeParse({ ...paper, iteration: 3 }).success).toBe(false)
  expect(revision.parameters.safeParse({ ...paper, iteration: 3, alpha_inclusive: true }).success).toBe(true)
})

describe('of any tree', () => {
  const parameters = fc.record({
    alpha: fc.constantFrom(0, 0.25, 0.5),
    beta: fc.constantFrom(0, 0.2, 0.5),
    alpha_inclusive: fc.boolean(),
    max_per_tree: fc.option(fc.integer({ min: 1, max: 4 })),
    include_good: fc.boolean(),
    first_error: fc.constant('end'),
  })

  test('every attempt gives a row or a reason, and rows follow the nodes they name', async () => {
    await fc.assert(
      fc.asyncProperty(anyAttempts(), parameters, async (attempts, given) => {
        const { found, out } = await findAll(revision, attempts, given)
        const named = new Set(found.map(({ origin }) => nameOf(origin.attempt)))
        expect(attempts.every((attempt) => named.has(nameOf(attempt)) !== nameOf(attempt) in out)).toBe(true)
        for (const { row, origin, other } of found) {
          const { nodes } = await origin.attempt.tree()
          const bad = (other?.node_ids ?? []).slice(1)
          const good = other === undefined ? origin.node_ids.slice(1) : origin.node_ids
          const said = row.messages.slice(head.length).filter(({ role }) => role === 'assistant')
          const spliced = other === undefined ? [] : [1]
          expect(said.map(({ weight }) => weight)).toEqual([
            ...bad.map(() => 0),
            ...spliced,
            ...good.map(() => 1),
          ])
          const texts = said.map(({ content }) => content)
          expect(texts.slice(0, bad.length)).toEqual(bad.map((id) => nodes[id]?.message))
          expect(texts.slice(-good.length)).toEqual(good.map((id) => nodes[id]?.message))
          expect(row.messages.at(-1)?.role).toBe('assistant')
        }
      }),
    )
  })

  test('the same numbers give the same rows, and no tree more pairs than asked for', async () => {
    await fc.assert(
      fc.asyncProperty(anyTree, parameters, fc.nat(3), async (tree, given, seed) => {
        const attempts = attemptsOf([tree])
        const { rows, found } = await findAll(revision, attempts, given, scopeOf(seed))
        expect((await findAll(revision, attempts, given, scopeOf(seed))).rows).toEqual(rows)
        const pairs = found.filter(({ other }) => other !== undefined)
        expect(pairs.length).toBeLessThanOrEqual(given.max_per_tree ?? Number.POSITIVE_INFINITY)
      }),
    )
  })

  test('pairs are all those whose ends differ enough, as if each were looked at', () => {
    fc.assert(
      fc.property(
        anyTree,
        fc.constantFrom(0, 0.25, 0.5),
        fc.constantFrom(0, 0.2, 0.5),
        (tree, alpha, beta) => {
          const found = treeEnds(tree, { alpha, alpha_inclusive: false })
          const all = found.ends.flatMap((good) =>
            found.ends.flatMap((bad) =>
              good.reward > alpha && good.reward - bad.reward > beta ? [`${good.node} ${bad.node}`] : [],
            ),
          )
          const every = [...choosePairs(found, { beta, most: null }, Math.random)]
          expect(every.map(({ good, bad }) => `${good} ${bad}`)).toEqual(all)
          for (const { node } of found.ends) expect(pathTo(tree, node)[0]).toBe(0)
        },
      ),
    )
  })
})

test('all pairs of a tree are yielded one by one, so that memory need not hold them', async () => {
  const half = 3000
  const ends = Array.from({ length: 2 * half }, (_, at) =>
    treeNode(0, `n${at}`, { ...ended, reward: at < half ? 1 : 0 }),
  )
  const attempt = attemptOf(treeOf(1, [rootNode, ...ends]))
  const rows = revision.rows(
    groupOf([attempt]),
    revision.parameters.parse({ ...endOnly, max_per_tree: null }),
    scopeOf(),
  )
  const first = await rows[Symbol.asyncIterator]().next()
  expect(first.value).toMatchObject({ origin: { node_ids: [1] }, other: { node_ids: [0, half + 1] } })
}, 2000)

test('pairs are drawn evenly, without listing them', () => {
  const nodes = [
    rootNode,
    ...Array.from({ length: 4000 }, (_, at) => treeNode(0, `n${at}`, { ...ended, reward: at % 2 })),
  ]
  const ends = treeEnds(treeOf(1, nodes), { alpha: 0.5, alpha_inclusive: false })
  const counts = new Map<number, number>()
  for (let seed = 0; seed < 200; seed += 1) {
    const drawn = [...choosePairs(ends, { beta: 0, most: 50 }, seededRandom(seed))]
    expect(new Set(drawn.map(({ good, bad }) => `${good} ${bad}`)).size).toBe(50)
    for (const { good } of drawn) {
      const quarter = Math.floor(((good - 1) / 4000) * 4)
      counts.set(quarter, (counts.get(quarter) ?? 0) + 1)
    }
  }
  // 10,000 draws over four quarters: 2,500 each, with a standard deviation of 43.
  for (const count of counts.values()) expect(Math.abs(count - 2500)).toBeLessThan(220)
})

test('the sentences are ten, short, and of different words', () => {
  expect(new Set(revisionSentences).size).toBe(10)
  for (const sentence of revisionSentences) expect(sentence.length).toBeLessThan(100)
})
