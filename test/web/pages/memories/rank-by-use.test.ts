import { expect, test } from 'vitest'
import { noteNode } from '../../../../web/pages/memories/note-card.tsx'
import { inOrder, rankByUse } from '../../../../web/pages/memories/rank-by-use.ts'

const use = (note: string, count: number) => ({ note, count, places: [] })

test('notes are ranked by how often they were shown, equals in their own order', () => {
  expect(rankByUse([use('a', 1), use('b', 3), use('c', 1), use('d', 3)])).toEqual(['b', 'd', 'a', 'c'])
})

test('items come in the order of the ids, without those that are not there', () => {
  const items = ['a', 'b', 'c'].map((id) => ({ id }))
  expect(inOrder(items, ['c', 'none', 'a'])).toEqual([{ id: 'c' }, { id: 'a' }])
})

test.each([
  ['ep-0000001/reflect/policy/4', 4],
  ['ep-0000001/reflect/value/0', 0],
  ['ep-0000001/note/2', null],
  ['ep-0000001/reflect/policy/x', null],
])('the note %s was learned at node %s', (id, node) => {
  expect(noteNode(id)).toBe(node)
})
