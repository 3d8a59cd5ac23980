import { expect, test } from 'vitest'
import { decodeRow } from '../../../shared/data/trajectories/decode-row.ts'

test('a row of a million levels is a bad row, as one that its readers could not follow', () => {
  const row = (levels: number) => Buffer.from(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)
  expect(() => decodeRow(row(1_000_000))).toThrow(/nests deeper than 200 levels/)
  expect(decodeRow(row(150))).toHaveProperty('a')
})
