import { expect, test } from 'vitest'
import { earlyStop } from '../../../shared/play/search/stopping.ts'

const rules = { invalid: 3, repeats: 5 }
const path = (...actions: string[]) => actions.map((action) => ({ action, valid: !action.startsWith('?') }))

test('a path is stopped by its last actions when all of them were invalid', () => {
  expect(earlyStop(path('go', '?1', '?2'), rules)).toBeNull()
  expect(earlyStop(path('go', '?1', '?2', '?3'), rules)).toBe('invalid_actions')
  expect(earlyStop(path('?1', '?2', 'go', '?3'), rules)).toBeNull()
})

test('a path is stopped by its last actions when all of them were the same', () => {
  expect(earlyStop(path('look', 'go', 'go', 'go', 'go'), rules)).toBeNull()
  expect(earlyStop(path('look', 'go', ' go', 'go ', 'go', 'go'), rules)).toBe('repeated_actions')
  expect(earlyStop(path('go', 'go', 'go', 'go', 'go', 'look'), rules)).toBeNull()
})

test('the root is not an action', () => {
  const root = { action: null, valid: true }
  expect(earlyStop([root, ...path('?1', '?2')], rules)).toBeNull()
  expect(earlyStop([root, ...path('?1', '?2', '?3')], rules)).toBe('invalid_actions')
  expect(earlyStop([root], { invalid: 1, repeats: 1 })).toBeNull()
})

test('a rule without a number is not applied', () => {
  const same = path('?1', '?1', '?1', '?1', '?1')
  expect(earlyStop(same, {})).toBeNull()
  expect(earlyStop(same, { repeats: 5 })).toBe('repeated_actions')
  expect(earlyStop(same, { invalid: 3 })).toBe('invalid_actions')
})
