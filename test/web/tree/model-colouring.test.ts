import { expect, test } from 'vitest'
import { modelColouring, modelOf, shadeOf } from '../../../web/tree/colouring.ts'
import { describeNode } from '../../../web/tree/describe-node.ts'
import { indexTree } from '../../../web/tree/index-tree.ts'
import { layOutTree } from '../../../web/tree/layout-tree.ts'
import { seriesColours, shades } from '../../../web/tree/palette.ts'
import { lastMoment } from '../../../web/tree/tree-moment.ts'
import { smallTree } from '../../builders/trees.ts'

const tree = smallTree([null, 0, 0, 1])
const call = (node: number, model: string | null, answers: string[], asked = 'policy') => ({
  node,
  model,
  answers,
  asked,
})

test('a node has the model whose answer led to it, and none if calls disagree or name none', () => {
  const calls = [
    call(0, 'a/small', ['message 1', 'other']),
    call(0, 'b/large', ['message 2']),
    call(1, 'c/judge', ['message 3'], 'value'),
    call(1, null, ['message 3']),
  ]
  const colouring = modelColouring(tree, calls)
  expect(colouring.names).toEqual(['a/small', 'b/large'])
  expect([0, 1, 2, 3].map((node) => modelOf(colouring, node))).toEqual([
    undefined,
    'a/small',
    'b/large',
    undefined,
  ])
  const index = indexTree(tree)
  const scene = {
    index,
    layout: layOutTree(index, new Set()),
    moment: lastMoment(tree),
    range: { low: 0, high: 1 },
    colouring,
    mostVisits: 1,
    collapsed: new Set<number>(),
    hits: new Set<number>(),
    chosen: null,
    happening: [],
  }
  expect([0, 1, 2, 3].map((node) => shadeOf(scene, node))).toEqual([null, shades, shades + 1, null])
  expect(describeNode(scene, 2)).toMatch(/, by b\/large$/)
})

test('an answer that a call gave in another form has the only model of its parent', () => {
  expect(modelOf(modelColouring(tree, [call(1, 'a/small', ['as it came'])]), 3)).toBe('a/small')
  const two = [call(1, 'a/small', ['x']), call(1, 'b/large', ['y'])]
  expect(modelColouring(tree, two).figures.size).toBe(0)
})

test('more models than colours begin again with the first colour', () => {
  const wide = smallTree([null, ...Array.from({ length: seriesColours + 1 }, () => 0)])
  const calls = wide.nodes.slice(1).map(({ message }, at) => call(0, `m/${at}`, [message ?? '']))
  const { figures, names } = modelColouring(wide, calls)
  expect(names).toHaveLength(seriesColours + 1)
  expect(figures.get(seriesColours + 1)).toBe(seriesColours)
})
