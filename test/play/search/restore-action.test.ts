import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  readRestoreAction,
  renderRestoreAction,
  restoreActionSchema,
  withRestoreRule,
} from '../../../shared/play/search/restore-action.ts'

test('an action is read as it is written, whatever stands around the numbers', () => {
  const templates = [
    'undo {{steps}}',
    'restore {{depth}}',
    'go (back) {{steps}}/{{depth}}.',
    '{{steps}} {{steps}}',
  ]
  fc.assert(
    fc.property(
      fc.constantFrom(...templates),
      fc.integer({ min: 0, max: 50 }),
      fc.integer({ min: 0, max: 50 }),
      (template, steps, depth) => {
        const action = renderRestoreAction(restoreActionSchema.parse(template), { steps, depth })
        expect(readRestoreAction(template, action, steps + depth)).toBe(steps)
        expect(readRestoreAction(template, `  ${action.replace(' ', '  ')} `, steps + depth)).toBe(steps)
        expect(readRestoreAction(template, `${action}!`, steps + depth)).toBeNull()
      },
    ),
  )
})

test('any other action is none, and numbers that do not fit go back further than there is', () => {
  for (const action of ['undo', 'undo two', 'undo -1', 'get 2 logs', 'undo 1234567', '']) {
    expect(readRestoreAction('undo {{steps}}', action, 3)).toBeNull()
  }
  expect(readRestoreAction('undo {{steps}} to {{depth}}', 'undo 1 to 1', 3)).toBe(Number.POSITIVE_INFINITY)
})

test('the rule is stated once, however often it is added, and not at all without an action', () => {
  const once = withRestoreRule('You craft items.', 'undo {{steps}}')
  expect(once).toMatch(/^You craft items\.\n\nIn this task you can also go back\. "Action: undo <steps>"/)
  expect(withRestoreRule(once, 'undo {{steps}}')).toBe(once)
  expect(withRestoreRule('You craft items.', undefined)).toBe('You craft items.')
})
