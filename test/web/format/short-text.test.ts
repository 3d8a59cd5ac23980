import { expect, test } from 'vitest'
import { shortText } from '../../../web/format/short-text.ts'

test('a label is one short line without hidden characters', () => {
  expect(shortText('craft\n4   planks', 40)).toBe('craft 4 planks')
  expect(shortText('craft 4 planks', 8)).toBe('craft 4…')
  expect(shortText('a\u202eb\u001b[31m', 40)).toBe('a⟨U+202E⟩b␛[31m')
  expect(shortText('😀'.repeat(9), 4)).toBe('😀😀😀…')
  expect(shortText('x'.repeat(5_000_000), 10)).toHaveLength(10)
})

test('of a block of code the label is the code', () => {
  expect(shortText('```python\npyautogui.press("f5")\n```', 40)).toBe('pyautogui.press("f5")')
  expect(shortText('```DONE```', 40)).toBe('DONE')
  expect(shortText('```python\nfirst()\nsecond()\n```', 12)).toBe('first() sec…')
})
