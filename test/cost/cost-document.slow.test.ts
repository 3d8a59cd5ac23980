import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { onWorkers } from '../../bench/aws/compare-platforms.ts'
import { recordedCounts, type SimulatedKind } from '../../bench/aws/counts.ts'
import { costOf } from '../../bench/cost/cost-of.ts'
import { operationsOfRun, usualRun } from '../../bench/cost/cost-of-run.ts'
import { readTables } from '../../bench/cost/markdown-tables.ts'
import { type Kind, type Measured, measure } from '../../bench/cost/measure.ts'
import type { Operations } from '../../bench/cost/operations.ts'
import { tables } from '../../bench/cost/tables.ts'

/** By how much a figure of the document may be off. */
const usual = 0.1
/** … where it depends on the order in which the calls of a worker end, which is another each time. */
const looser = { rows: /^DynamoDB(: reads| requests)$/, tolerance: 0.25 }
/**
 * Writes that several calls or ends share. A busy machine has fewer calls in flight together, which share a reservation
 * of money, and more ends at a time. The document has the figures of a fast one.
 */
const shared = { rows: /^DynamoDB: writes for (money|the run and its events)$/, most: 2.5, least: 0.6 }

let measured: Measured

beforeAll(async () => {
  measured = await measure()
}, 400_000)

test('every figure of docs/cost.md is what the engine does now; node bench/cost/print-tables.ts prints them', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/cost.md'), 'utf8')
  const written = readTables(text)
  const computed = tables(measured)
  expect(Object.keys(written).toSorted()).toEqual(Object.keys(computed).toSorted())
  for (const [name, table] of Object.entries(computed)) {
    const rows = written[name] ?? []
    expect(rows.map(([title]) => title)).toEqual(table.map(([title]) => title))
    const off = table.flatMap((row, line) =>
      row.flatMap((cell, column) => {
        const found = rows[line]?.[column] ?? ''
        return isRight(row[0] ?? '', found, cell) ? [] : [`${name}, ${row[0]}: ${found} should be ${cell}`]
      }),
    )
    expect(off).toEqual([])
  }
})

test.each<[Kind, number]>([
  ['react', 0.2],
  ['mcts', 2.5],
])('a thousand episodes of %s cost at most $%s in AWS', (kind, aim) => {
  const { operations } = operationsOfRun(measured.kinds[kind].counted, usualRun)
  expect(costOf(operations).total).toBeLessThanOrEqual(aim)
})

test('a thousand episodes of mcts at a model of 20 s cost at most $0.30 on workers', () => {
  const size = { episodes: 1000, parallel: 500, maxWorkers: 1, latency: 20 }
  expect(onWorkers(recordedCounts, { kind: 'mcts', ...size }).total).toBeLessThanOrEqual(0.3)
})

test.each<[Kind & SimulatedKind, keyof Operations]>([
  ['react', 's3_writes'],
  ['react', 'ledger_writes'],
  ['mcts', 's3_writes'],
  ['mcts', 'ledger_writes'],
])(
  'what simulations take for an episode of %s is what the engine does: %s; node bench/aws/record-counts.ts records it',
  (kind, unit) => {
    const now = measured.kinds[kind].counted.episode[unit]
    expect(Math.abs(recordedCounts.lambda[kind].episode[unit] - now)).toBeLessThanOrEqual(0.25 * now)
  },
)

function isRight(title: string, found: string, cell: string): boolean {
  if (isNear(found, cell, looser.rows.test(title) ? looser.tolerance : usual)) return true
  const [left, right] = [toNumber(found), toNumber(cell)]
  return shared.rows.test(title) && left >= shared.least * right && left <= shared.most * right
}

function isNear(found: string, cell: string, tolerance: number): boolean {
  const [left, right] = [toNumber(found), toNumber(cell)]
  if (Number.isNaN(left) || Number.isNaN(right)) return found === cell
  // Printed figures are rounded: a small one may be a whole unit of its last digit off.
  const decimals = /\.(\d+)$/.exec(cell)?.[1]?.length ?? 0
  return (
    Math.abs(left - right) <= tolerance * Math.abs(right) + (decimals === 0 ? 0 : 1.001 * 10 ** -decimals)
  )
}

function toNumber(cell: string): number {
  return cell === '' ? Number.NaN : Number(cell.replaceAll(/[$,]/g, ''))
}
