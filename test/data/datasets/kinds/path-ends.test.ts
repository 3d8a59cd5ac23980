import { expect, test } from 'vitest'
import { pathEnds } from '../../../../shared/data/datasets/kinds/path-ends.ts'
import { attemptOf } from '../../../builders/attempts.ts'
import { rootNode, treeNode, treeOf, valuedNode } from '../../../builders/trees.ts'

/** A failure and a success of maximum length, and a third branch that a budget cut before its end was backed up. */
const nodes = [
  rootNode,
  valuedNode(0, 'wander', 0),
  valuedNode(0, 'solve', 1, { reward: 1, terminal: true, done: true }),
  valuedNode(0, 'wander on', 0),
  treeNode(3, 'cut'),
  valuedNode(3, 'give up', 0),
]

const endsOf = (method: string) => {
  const tree = treeOf(1, nodes, { method })
  return pathEnds(tree, attemptOf(tree, { reward: 0 }), 'ends')
}

test('each trajectory of fork-rollouts is an end, failures too, and a branch that was cut is none', () => {
  expect(endsOf('fork-rollouts')).toEqual([
    { id: 1, reward: 0 },
    { id: 2, reward: 1 },
    { id: 5, reward: 0 },
  ])
})

test('a valued leaf of a search is no end: the search only stopped there', () => {
  expect(endsOf('mcts').map(({ id }) => id)).toEqual([1, 2])
})
