import fc from 'fast-check'
import { expect, test } from 'vitest'
import { actionExample } from '../../../../functions/api/openapi/learned-examples.ts'
import type { LibraryAction } from '../../../../shared/core/contracts/library.ts'
import { actionSets, filterActions, readActionFilter } from '../../../../web/pages/libraries/action-sets.ts'

const action = (id: string, more: Partial<LibraryAction> = {}): LibraryAction => ({
  ...actionExample,
  id,
  name: id,
  ...more,
})

test('actions of one group that were scored together are a set', () => {
  const scores = { score: 1, success: 1, step_accuracy: 1, call_ratio: 1 }
  const [first, ...others] = actionSets([
    action('a', { group: 'gripper', scores }),
    action('b', { group: null, scores: null }),
    action('c', { group: 'gripper', scores }),
    action('d', { group: 'gripper', scores, usage: 'another' }),
  ])
  expect(first).toMatchObject({ group: 'gripper', scores, actions: [{ id: 'a' }, { id: 'c' }] })
  expect(others.map(({ actions }) => actions.map(({ id }) => id))).toEqual([['b'], ['d']])
})

test('every action is in one set', () => {
  const drawn = fc.array(
    fc.record({ group: fc.constantFrom('a', 'b', null), usage: fc.constantFrom('x', 'y') }),
  )
  fc.assert(
    fc.property(drawn, (each) => {
      const actions = each.map((more, place) => action(String(place), more))
      const sets = actionSets(actions)
      expect(sets.flatMap((set) => set.actions).toSorted((a, b) => Number(a.id) - Number(b.id))).toEqual(
        actions,
      )
      expect(new Set(sets.map(({ id }) => id)).size).toBe(sets.length)
    }),
  )
})

test('actions are found by any of their texts and by their group', () => {
  const actions = [
    action('walk', { group: null, code: 'function walk() {}', notes: ['Mind the DOOR.'] }),
    action('carry', { group: 'boil', description: 'Carries.', notes: [] }),
  ]
  const found = (query: string) =>
    filterActions(actions, readActionFilter(new URLSearchParams(query))).map(({ id }) => id)
  expect(found('')).toEqual(['walk', 'carry'])
  expect(found('text=door')).toEqual(['walk'])
  expect(found('text=CARRIES')).toEqual(['carry'])
  expect(found('text=%20walk%20')).toEqual(['walk'])
  expect(found('group=boil')).toEqual(['carry'])
  expect(found('group=*')).toEqual(['walk'])
})
