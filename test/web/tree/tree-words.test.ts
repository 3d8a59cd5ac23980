import { expect, test } from 'vitest'
import type { Growth } from '../../../shared/core/contracts/growth.ts'
import { noUsage } from '../../../shared/core/contracts/usage.ts'
import { describeNode, describeStep } from '../../../web/tree/describe-node.ts'
import { nodesOfStep } from '../../../web/tree/fold-growth.ts'
import { indexTree } from '../../../web/tree/index-tree.ts'
import { pathTurns } from '../../../web/tree/path-turns.ts'
import { lastMoment } from '../../../web/tree/tree-moment.ts'
import { smallTree } from '../../builders/trees.ts'

const tree = smallTree([null, 0, 1], {
  1: { action: 'get wood', message: 'Thought: wood.\nAction: get wood' },
  2: { action: 'craft\nplanks', message: '', reward: 1, done: true, valid: false },
})
const growth: Growth = {
  object: 'growth',
  run: 'r',
  episode: 'e',
  answer: 'best',
  steps: [
    [
      { type: 'node', node: 2 },
      { type: 'value', node: 2, value: 0.5 },
    ],
    [{ type: 'commit', node: 1 }],
    [{ type: 'node', node: 9 }],
    Array.from({ length: 6 }, () => ({ type: 'commit' as const, node: 1 })),
  ].map((events) => ({
    at: '2026-01-01T00:00:00.000Z',
    elapsed: 0,
    usage: noUsage,
    events,
  })) as Growth['steps'],
}

test('what happened in a step is described', () => {
  expect(describeStep(tree, growth, 0)).toBe('The search begins with its root.')
  expect(describeStep(tree, growth, 1)).toBe(
    'node 2 added below 1: craft planks · value 0.50 backed up from node 2',
  )
  expect(describeStep(tree, growth, 2)).toBe('decided for node 1')
})

test('the nodes of a step are known, each once', () => {
  expect(nodesOfStep(tree, growth, 1)).toEqual([2])
  expect(nodesOfStep(tree, growth, 3)).toEqual([])
  expect(nodesOfStep(tree, growth, 0)).toEqual([])
})

test('a node that the tree does not have yet is named by its number, and long steps are cut', () => {
  expect(describeStep(tree, growth, 3)).toBe('node 9 added')
  expect(describeStep(tree, growth, 4)).toMatch(/· 2 more$/)
})

test('a path is turns of what was said, what was shown and what was odd', () => {
  expect(pathTurns(indexTree(tree), 2)).toEqual([
    {
      node: 1,
      action: 'get wood',
      said: 'Thought: wood.\nAction: get wood',
      shown: 'observation 1',
      pictures: [],
      outcome: [],
      notes: [],
    },
    {
      node: 2,
      action: 'craft\nplanks',
      said: 'craft\nplanks',
      shown: 'observation 2',
      pictures: [],
      outcome: ['reward 1.00', 'invalid', 'task ended'],
      notes: ['reward 1.00', 'invalid', 'task ended'],
    },
  ])
  expect(pathTurns(indexTree(tree), 0)).toEqual([])
})

test('an action that the answer does not spell out, its own steps and pictures are named', () => {
  const picture = { type: 'blob' as const, sha256: 'a'.repeat(64), media_type: 'image/png' }
  const step = { action: 'a', observation: 'o', reward: 0, valid: true }
  const odd = smallTree([null, 0], { 1: { observation: [picture], primitives: [step, step] } })
  expect(pathTurns(indexTree(odd), 1)).toEqual([
    {
      node: 1,
      action: 'action 1',
      said: 'message 1',
      shown: '[image/png]',
      pictures: ['a'.repeat(64)],
      outcome: ['2 environment steps'],
      notes: ['action: action 1', '2 environment steps'],
    },
  ])
})

test('a node is described in a sentence', () => {
  const described = smallTree([null, 0, 0], { 1: { visits: 0 }, 2: { value: 0.5, reward: 1, done: true } })
  const scene = { index: indexTree(described), moment: lastMoment({ ...described, best: 2 }) }
  expect(describeNode(scene, 0)).toBe('Node 0: root, value 0.00, 1 visit')
  expect(describeNode(scene, 1)).toBe('Node 1: action 1, not visited')
  expect(describeNode(scene, 2)).toBe(
    'Node 2: action 2, value 0.50, 1 visit, reward 1.00, the environment ended the task here, the answer ends here',
  )
})
