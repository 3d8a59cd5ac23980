import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  meanStatus,
  readStatus,
  type Status,
  type StatusScale,
  statusScales,
} from '../../../../shared/play/search/values/statuses.ts'

describe('a grade in an answer', () => {
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
})

describe('the mean value of grades', () => {
  test('the verdicts of a debate in both orders, worked by hand', () => {
    // (1 + 1 + 0.7 + 0.5 − 0.2 − 1) / 6 = 2 / 6
    expect(meanStatus(['A', 'A', 'B', 'C', 'D', 'E'], 'debate')).toBeCloseTo(1 / 3, 12)
  })

  test('each scale gives its own value', () => {
    // rubric (0.9 + 0.2) / 2 = 0.55; debate (0.7 − 0.2) / 2 = 0.25; desktop (0.5 − 0.2) / 2 = 0.15
    expect(meanStatus(['B', 'D'], 'rubric')).toBeCloseTo(0.55, 12)
    expect(meanStatus(['B', 'D'], 'debate')).toBeCloseTo(0.25, 12)
    expect(meanStatus(['B', 'D'], 'desktop')).toBeCloseTo(0.15, 12)
  })

  test('without a grade there is an error, not a number', () => {
    expect(() => meanStatus([], 'debate')).toThrow(RangeError)
  })

  const statuses = fc.array(fc.constantFrom<Status[]>('A', 'B', 'C', 'D', 'E'), {
    minLength: 1,
    maxLength: 20,
  })
  const scales = fc.constantFrom(...(Object.keys(statusScales) as StatusScale[]))

  test('the value stays on the scale, whatever the order, and is 1 only if all agree on A', () => {
    fc.assert(
      fc.property(statuses, scales, (all, scale) => {
        const value = meanStatus(all, scale)
        expect(meanStatus(all.toReversed(), scale)).toBeCloseTo(value, 12)
        expect(value).toBeGreaterThanOrEqual(statusScales[scale].E)
        expect(value).toBeLessThanOrEqual(1)
        expect(value === 1).toBe(all.every((status) => status === 'A'))
      }),
    )
  })
})
