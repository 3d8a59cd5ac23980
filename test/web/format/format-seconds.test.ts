import { expect, test } from 'vitest'
import { formatSeconds } from '../../../web/format/format-seconds.ts'

test.each([
  [0, '0.00 s'],
  [0.142, '0.14 s'],
  [3.46, '3.5 s'],
  [12.4, '12 s'],
  [200, '3 min 20 s'],
])('%d seconds are shown as %s', (seconds, text) => {
  expect(formatSeconds(seconds)).toBe(text)
})
