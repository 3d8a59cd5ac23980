import fc from 'fast-check'
import { expect, test } from 'vitest'
import { locateJsonError } from '../../../functions/api/errors/locate-json-error.ts'

test('a text has a place of error exactly when it is not JSON', () => {
  const pieces = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '"\\u00e9"',
    '"\\x"',
    '1',
    '-',
    '0.5e3',
    '01',
    'true',
    'nul',
    ' ',
    '\n',
    '"',
  )
  const texts = fc.oneof(
    fc.json(),
    fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join('')),
    fc.string(),
  )
  fc.assert(
    fc.property(texts, (text) => {
      expect(locateJsonError(text) === null).toBe(isJson(text))
    }),
    { numRuns: 3000 },
  )
})

test('the place is counted in lines and columns from one', () => {
  expect(locateJsonError('{\n  "a": 1\n  "b": 2\n}')).toEqual({
    line: 3,
    column: 3,
    found: '"\\"b\\": 2\\n}"',
  })
  expect(locateJsonError('[1, 2')).toEqual({ line: 1, column: 6, found: 'the end of the body' })
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}
