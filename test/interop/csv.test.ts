import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toCsv } from '../../shared/data/exports/csv.ts'
import { anyText, shownInCsv } from '../data/exports/odd-texts.ts'

const reader = `
import csv, io, json, sys
text = sys.stdin.buffer.read().decode("utf-8-sig")
print(json.dumps(list(csv.reader(io.StringIO(text, newline=""), strict=True))))
`

test('whatever texts are written, the csv module of Python reads them back', () => {
  const rows = fc.sample(fc.record({ a: anyText, b: anyText }), { numRuns: 2000, seed: 33 })
  const expected = rows.map(({ a, b }) => [shownInCsv(a), shownInCsv(b)])
  const read = execFileSync('python3', ['-c', reader], { input: toCsv(rows), encoding: 'utf8' })
  expect(JSON.parse(read)).toEqual([['a', 'b'], ...expected])
})
