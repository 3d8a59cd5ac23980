import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TokenRecord } from '../../../../../shared/core/contracts/token-record.ts'
import { branchesOf } from '../../../../../shared/data/datasets/kinds/rollouts/branch.ts'
import { tokenRollouts } from '../../../../../shared/data/datasets/kinds/rollouts/rollouts.ts'
import { SearchTree } from '../../../../../shared/play/search/tree.ts'
import type { TreeEntry } from '../../../../../shared/play/search/tree-entry.ts'
import { attemptOf } from '../../../../builders/attempts.ts'
import { nodeEntry, openEntry } from '../../../../builders/journals.ts'
import { findAll } from '../hand-made.ts'

/** An episode along one path: an answer for each number, with so many calls of tools. */
function calling(counts: readonly number[]) {
  const entries: TreeEntry[] = [openEntry()]
  const records: TokenRecord[] = []
  let prompt = [1, 2, 3]
  for (const [turn, calls] of counts.entries()) {
    const parent = entries.length - 1
    const call = `node/${parent}/sample/0`
    for (let place = 0; place < calls; place += 1) {
      const isLast = turn === counts.length - 1 && place === calls - 1
      const effect = place === 0 ? call : `${call}/call/${place}`
      entries.push(nodeEntry({ parent: parent + place, effect, done: isLast, reward: isLast ? 1 : 0 }))
    }
    const ids = Array.from({ length: calls }, (_, place) => 100 * (turn + 1) + place)
    records.push({
      call,
      model: 'mine/small',
      version: null,
      source: 'vllm',
      prompting: 'chat',
      sampler: {},
      prompt_ids: prompt,
      answers: [{ ids, logprobs: ids.map(() => -1) }],
      warnings: [],
    })
    prompt = [...prompt, ...ids, 7]
  }
  const tree = SearchTree.fold(entries)?.toTree()
  if (tree === undefined) throw new Error('There is no tree.')
  const journal = entries.map((entry) => ({ entry })) as never
  return attemptOf(tree, { journal: async () => journal, tokens: async () => records })
}

test('an answer of several calls is learned once, and its branch keeps its row', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 4 }),
      async (counts) => {
        const { out, rows } = await findAll(tokenRollouts, [calling(counts)], { flat: 'keep' })
        expect(out).toEqual({})
        const own = rows.map(({ completion_ids, completion_mask }) =>
          completion_ids.filter((_, at) => completion_mask[at] === 1),
        )
        expect(own).toEqual([
          counts.flatMap((calls, turn) =>
            Array.from({ length: calls }, (_, place) => 100 * (turn + 1) + place),
          ),
        ])
      },
    ),
  ))

test('a branch has one step for each answer, with the rewards of its calls and the state it was given in', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 4 }),
      async (counts) => {
        const attempt = calling(counts)
        const tree = await attempt.tree()
        const firsts = counts.map((_, turn) => counts.slice(0, turn).reduce((sum, calls) => sum + calls, 1))
        const [branch, ...others] = branchesOf(tree, 0, attempt, 'answer')
        expect(others).toEqual([])
        expect(branch?.steps.map(({ node }) => node)).toEqual(firsts)
        expect(branch?.steps.map(({ state }) => state)).toEqual(
          firsts.map((first) => tree.nodes[first - 1]?.state_hash),
        )
        expect(branch?.steps.reduce((sum, { reward }) => sum + reward, 0)).toBe(branch?.reward)
      },
    ),
  ))
