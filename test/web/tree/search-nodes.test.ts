import { expect, test } from 'vitest'
import { nextHit, searchNodes } from '../../../web/pages/episode/use-explorer.ts'
import { smallTree } from '../../builders/trees.ts'

const tree = smallTree([null, 0, 0, 1], {
  1: { action: 'craft Planks' },
  2: { message: 'Thought: planks first' },
  3: { observation: [{ type: 'text', text: 'You hold 4 PLANKS.' }] },
})

test('a text is found in actions, answers and observations, in any case', () => {
  expect(searchNodes(tree, ' planks ')).toEqual([1, 2, 3])
  expect(searchNodes(tree, 'hold')).toEqual([3])
})

test('nothing is found for an empty text, nor where it does not stand', () => {
  expect(searchNodes(tree, '  ')).toEqual([])
  expect(searchNodes(tree, 'gravel')).toEqual([])
})

test('hits are gone through in both directions, around the end', () => {
  expect(nextHit([1, 3, 7], 3, 1)).toBe(7)
  expect(nextHit([1, 3, 7], 7, 1)).toBe(1)
  expect(nextHit([1, 3, 7], 1, -1)).toBe(7)
  expect(nextHit([1, 3, 7], 4, -1)).toBe(3)
  expect(nextHit([], 4, 1)).toBeNull()
})
