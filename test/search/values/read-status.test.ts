import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readStatus } from '../../../shared/search/values/read-status.ts'
import { statusScales } from '../../../shared/search/values/status-scales.ts'

test.each([
  ['Thoughts: it is done.\nStatus code: A', 'A'],
  ['STATUS CODE: b', 'B'],
  ['**Status code:** C.', 'C'],
  ['**Status Code: D**', 'D'],
  ['- `status code`: `E`', 'E'],
  ['Status code: "B"', 'B'],
  ['Status code: (C)', 'C'],
  ['Status code: <D>', 'D'],
  ['{"thoughts": "…", "status_code": "A"}', 'A'],
  ['Status code:\n**B**\n', 'B'],
  ['Status code: B (one action away)', 'B'],
  ['Status code: B - one action away', 'B'],
  ['Status code: C, on track', 'C'],
  ['Status code: B. A last click remains.', 'B'],
  ['Status code: B\nThis is my final answer: Alaska.', 'B'],
  ['Status code: A\r\n', 'A'],
] as const)('%j is read as %s', (answer, status) => {
  expect(readStatus(answer)).toBe(status)
})

test('the last grade counts', () => {
  expect(readStatus('The format asks for "Status code: A".\nStatus code: D')).toBe('D')
  expect(readStatus('Status code: A, no: Status code: E')).toBe('E')
})

test.each([
  '',
  'The state looks fine, A.',
  'Status code:',
  'Status code: F',
  'Status code: 1',
  'Status code: Almost',
  'Status code: A good state',
  'Status code: A or B',
  'Status code: A/B',
  'Status code: A, B',
  'Status code: A - E',
  'Status code: <A|B|C|D|E>',
  'Status code: Ä',
  'Status code: B\nStatus code: unknown',
  'I cannot judge this.',
])('%j is no grade', (answer) => {
  expect(readStatus(answer)).toBeNull()
})

test('any text is read as a grade or as none, and a grade put after it is always read', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 300 }), fc.constantFrom('A', 'B', 'C', 'D', 'E'), (text, status) => {
      expect([null, 'A', 'B', 'C', 'D', 'E']).toContain(readStatus(text))
      expect(readStatus(`${text}\nStatus code: ${status}`)).toBe(status)
    }),
  )
})

test('an answer of 100 KB is read', () => {
  expect(readStatus(`${'status code '.repeat(9_000)}\nStatus code: C`)).toBe('C')
  expect(readStatus(`status${' '.repeat(100_000)}`)).toBeNull()
})

test('the scales are those of the code', () => {
  expect(statusScales).toEqual({
    rubric: { A: 1, B: 0.9, C: 0.5, D: 0.2, E: 0 },
    debate: { A: 1, B: 0.7, C: 0.5, D: -0.2, E: -1 },
    desktop: { A: 1, B: 0.5, C: 0.2, D: -0.2, E: -1 },
  })
})
