import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type DatasetRow, datasetRowSchema } from '../../../../shared/core/contracts/dataset-row.ts'
import type { Message } from '../../../../shared/core/contracts/message.ts'
import type { DatasetKind, Side } from '../../../../shared/data/datasets/kind.ts'
import { preference } from '../../../../shared/data/datasets/kinds/preference.ts'
import { processReward } from '../../../../shared/data/datasets/kinds/process-reward.ts'
import { prompts } from '../../../../shared/data/datasets/kinds/prompts.ts'
import { sft } from '../../../../shared/data/datasets/kinds/sft.ts'
import { stepPreference } from '../../../../shared/data/datasets/kinds/step-preference.ts'
import { unpaired } from '../../../../shared/data/datasets/kinds/unpaired.ts'
import { attemptOf, groupOf } from '../../../builders/attempts.ts'
import { head, rootNode, treeNode, treeOf } from '../../../builders/trees.ts'
import { anyAttempts, anyTree, findAll, nameOf } from './hand-made.ts'

interface Case {
  kind: DatasetKind
  parameters: object
  /** Whether the first attempt is not like the others. */
  isOrdered?: boolean
}

const cases: Case[] = [
  { kind: sft, parameters: {} },
  { kind: sft, parameters: { paths: 'ends', min_reward: 0.25 } },
  { kind: sft, parameters: { attempts: 'best', paths: 'ends' }, isOrdered: true },
  { kind: preference, parameters: {} },
  { kind: preference, parameters: { against: 'both', max_per_task: 2, margin: 0.2, max_extra_messages: 2 } },
  { kind: stepPreference, parameters: {} },
  { kind: stepPreference, parameters: { pairs: 'all', margin: 0 } },
  { kind: unpaired, parameters: {} },
  { kind: unpaired, parameters: { level: 'step', paths: 'ends', desirable_at: 0.6, undesirable_at: 0.4 } },
  { kind: processReward, parameters: {} },
  { kind: processReward, parameters: { paths: 'answer', labels: 'increase' } },
  { kind: prompts, parameters: {}, isOrdered: true },
]

const anyGroup = fc
  .tuple(anyAttempts(), fc.oneof(fc.constant([]), anyAttempts('expert')))
  .map(([attempts, experts]) => groupOf(attempts, experts))

const titled = cases.map((each) => [`${each.kind.id} ${JSON.stringify(each.parameters)}`, each] as const)

describe.each(titled)('%s', (_, { kind, parameters, isOrdered = false }) => {
  const groups = kind.usesExperts ? anyGroup : anyGroup.map(({ attempts }) => groupOf(attempts))

  test('accounts for every attempt: a row’s side, or left out once', async () => {
    await fc.assert(
      fc.asyncProperty(groups, async (group) => {
        const { found, all } = await findAll(kind, group, parameters)
        const sides = new Set(
          found.flatMap(({ origin, other }) => [origin, ...(other ? [other] : [])]).map(toName),
        )
        const out = all.flatMap((finding) => ('row' in finding ? [] : [nameOf(finding.attempt)]))
        const everyone = [...group.attempts, ...group.experts].map(nameOf)
        expect([...sides, ...out].toSorted()).toEqual(everyone.toSorted())
      }),
    )
  })

  test('gives rows that fit the contract, from nodes that are there, turn by turn', async () => {
    await fc.assert(
      fc.asyncProperty(groups, async (group) => {
        const { found } = await findAll(kind, group, parameters)
        for (const { row, origin, other } of found) {
          expect(row.type).toBe(kind.rowType)
          expect(datasetRowSchema.parse(row)).toEqual(row)
          await expectPath(origin, answersOf(row))
          if (other) await expectPath(other, answersOf(row, true))
        }
      }),
    )
  })

  test('says the same twice, and the same rows whatever the order of the attempts', async () => {
    await fc.assert(
      fc.asyncProperty(groups, async (group) => {
        const { all, rows } = await findAll(kind, group, parameters)
        expect((await findAll(kind, group, parameters)).all).toEqual(all)
        if (isOrdered) return
        const turned = groupOf(group.attempts.toReversed(), group.experts.toReversed())
        const texts = (some: readonly DatasetRow[]) => some.map((row) => JSON.stringify(row)).toSorted()
        expect(texts((await findAll(kind, turned, parameters)).rows)).toEqual(texts(rows))
      }),
    )
  })
})

test('only the model’s turns have a weight, and of those every one that was played has the full', async () => {
  await fc.assert(
    fc.asyncProperty(anyTree, async (tree) => {
      const { rows } = await findAll(sft, [attemptOf(tree)], { paths: 'ends', min_reward: 0 })
      for (const { messages } of rows) {
        const weights = messages.map(({ role, weight }) =>
          role === 'assistant' ? weight : (weight ?? 'none'),
        )
        const played = messages.slice(tree.messages.length).map((_, place) => (place % 2 === 0 ? 1 : 'none'))
        expect(weights).toEqual(['none', 'none', 0, 'none', ...played])
      }
    }),
  )
})

test('the sides of a step pair are children of one node, and the chosen is worth more by over the margin', async () => {
  await fc.assert(
    fc.asyncProperty(anyTree, fc.constantFrom(0, 0.1, 0.3), async (tree, margin) => {
      const { found } = await findAll(stepPreference, [attemptOf(tree)], { margin, pairs: 'all' })
      for (const { origin, other, row } of found) {
        const [better, worse] = [origin, other].map((side) => tree.nodes[side?.node_ids.at(-1) ?? -1])
        expect(better?.parent).toBe(worse?.parent)
        expect((better?.value ?? 0) - (worse?.value ?? 0)).toBeGreaterThan(margin)
        expect(row.chosen).not.toEqual(row.rejected)
      }
    }),
  )
})

test('the laws have something to hold of: their trees give rows of every kind', async () => {
  const trees = [
    treeOf(1, [
      rootNode,
      treeNode(0, 'a', { visits: 1, value: 1, reward: 1, done: true }),
      treeNode(0, 'b', { visits: 1 }),
    ]),
    treeOf(1, [rootNode, treeNode(0, 'b', { visits: 1, done: true })]),
  ]
  const attempts = trees.map((tree, place) => attemptOf(tree, { episode: `e${place}` }))
  for (const { kind } of cases) expect((await findAll(kind, attempts)).rows, kind.id).not.toEqual([])
})

const answersOfHead = head.filter(({ role }) => role === 'assistant').length

const toName = ({ attempt }: Side) => nameOf(attempt)

/** What the model says in a row, or in the other of its sides, after the head. */
function answersOf(row: DatasetRow, isOther = false): string[] {
  if (row.type === 'process') return row.completions.map((text) => text.split('\n').at(-1) ?? '')
  const answers = turnsOf(row, isOther).filter(({ role }) => role === 'assistant')
  return answers.slice(answersOfHead).map(({ content }) => content)
}

function turnsOf(row: Exclude<DatasetRow, { type: 'process' }>, isOther: boolean): readonly Message[] {
  switch (row.type) {
    case 'conversation':
      return row.messages
    case 'preference':
      return [...row.prompt, ...(isOther ? row.rejected : row.chosen)]
    case 'unpaired':
      return [...row.prompt, ...row.completion]
    case 'prompt':
      return row.prompt
    case 'rollout':
    case 'rollout-tree':
      throw new Error('Rows of tokens have laws of their own.')
  }
}

/** The ids are a path from the root, whose further nodes are the model's answers. */
async function expectPath({ attempt, node_ids }: Side, answers: string[]): Promise<void> {
  const { nodes } = await attempt.tree()
  const [start, ...path] = node_ids
  expect(start).toBe(0)
  expect(path.map((id) => nodes[id]?.parent)).toEqual(node_ids.slice(0, -1))
  expect(path.map((id) => nodes[id]?.message)).toEqual(answers)
}
