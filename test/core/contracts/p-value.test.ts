import { expect, test } from 'vitest'
import { writePValue } from '../../../shared/core/contracts/p-value.ts'

test.each([
  [0.00003, '3.0e-5'],
  [0.00099, '9.9e-4'],
  [0.001, '0.001'],
  [0.0421, '0.042'],
  [1, '1.000'],
])('%f is written as %s, and no value as 0', (value, text) => {
  expect(writePValue(value)).toBe(text)
})
