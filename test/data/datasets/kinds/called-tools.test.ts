import { expect, test } from 'vitest'
import type { Tree } from '../../../../shared/core/contracts/tree.ts'
import { preference } from '../../../../shared/data/datasets/kinds/preference.ts'
import { processReward } from '../../../../shared/data/datasets/kinds/process-reward.ts'
import { sft } from '../../../../shared/data/datasets/kinds/sft.ts'
import { stepPreference } from '../../../../shared/data/datasets/kinds/step-preference.ts'
import { attemptOf } from '../../../builders/attempts.ts'
import { rootNode, treeNode, treeOf } from '../../../builders/trees.ts'
import { findAll } from './hand-made.ts'

const tools = [{ name: 'look', description: 'Looks.', schema: { type: 'object' }, action: 'look' }]

const played = (reward: number): Tree =>
  treeOf(1, [
    rootNode,
    treeNode(0, 'look', { message: `answer ${reward}`, reasoning: `thought ${reward}`, reward, done: true }),
  ])
const called = (reward: number): Tree => ({ ...played(reward), tools })

test('a pair of calls and text is refused, and says how to make or allow it', async () => {
  const sides = [attemptOf(called(1)), attemptOf(played(0), { episode: 'other' })]
  await expect(findAll(preference, sides)).rejects.toThrow(
    /calls of tools, .* actions as text\. Play both with the same value .*"actions".*"layouts" to "any"/,
  )
  expect((await findAll(preference, sides, { layouts: 'any' })).rows).toHaveLength(1)
  const both = [attemptOf(called(1)), attemptOf(called(0), { episode: 'other' })]
  expect((await findAll(preference, both)).rows).toMatchObject([
    { chosen: [{ reasoning: 'thought 1' }], rejected: [{ reasoning: 'thought 0' }] },
  ])
})

test('thoughts beside an answer are of its turn; steps that are texts count theirs as left out', async () => {
  const [row] = (await findAll(sft, [attemptOf(called(1))])).rows
  expect(row?.messages.at(-1)).toEqual({
    role: 'assistant',
    content: 'answer 1',
    reasoning: 'thought 1',
    weight: 1,
  })
  const nodes = [
    rootNode,
    ...[1, 0].map((value) => treeNode(0, `go ${value}`, { value, visits: 1, reasoning: `for ${value}` })),
  ]
  const tree = treeOf(1, nodes)
  expect((await findAll(stepPreference, [attemptOf(tree)])).rows).toMatchObject([
    { chosen: [{ reasoning: 'for 1' }], rejected: [{ reasoning: 'for 0' }] },
  ])
  const { found } = await findAll(processReward, [attemptOf(tree)], { paths: 'answer' })
  expect(found.map(({ left_out_thoughts }) => left_out_thoughts)).toEqual([1])
})
