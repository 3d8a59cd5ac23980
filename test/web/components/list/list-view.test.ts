import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  clampWidth,
  columnId,
  columnSizes,
  readColumnView,
  shownColumns,
  writeColumnView,
} from '../../../../web/components/list/column-view.ts'
import {
  isNewestFirst,
  newestFirst,
  orderAfter,
  readOrder,
  sortEntries,
  writeOrder,
} from '../../../../web/components/list/list-order.ts'
import { runColumns, solvedShare } from '../../../../web/pages/runs/run-columns.ts'
import { makeRun } from '../../../builders/runs.ts'

const ids = runColumns.map(columnId)
const id = fc.constantFrom(...ids)
const widths = fc
  .array(fc.tuple(id, fc.integer({ min: -10, max: 9999 }).map(clampWidth)), { maxLength: 12 })
  .map((entries) => new Map(entries))
const columnView = fc.record({ hidden: fc.uniqueArray(id).map((hidden) => new Set(hidden)), widths })
const order = fc.record({ sort: id, order: fc.constantFrom('asc' as const, 'desc' as const) })

test('the address alone gives the same columns, widths and order back, beside its other entries', () => {
  fc.assert(
    fc.property(columnView, order, columnView, (view, sorted, before) => {
      const earlier = writeColumnView(new URLSearchParams('status=failed'), before)
      const written = writeOrder(writeColumnView(earlier, view), sorted)
      const read = new URLSearchParams(written.toString())
      expect(readColumnView(read)).toEqual(view)
      expect(readOrder(read, ids)).toEqual(sorted)
      expect(read.get('status')).toBe('failed')
    }),
  )
})

test('the usual view leaves no trace in the address', () => {
  const address = new URLSearchParams('hide=cost&widths=cost.90&sort=cost&order=desc')
  const usual = writeOrder(writeColumnView(address, { hidden: new Set(), widths: new Map() }), newestFirst)
  expect(usual.toString()).toBe('')
  expect(isNewestFirst(readOrder(usual, ids))).toBe(true)
})

test('a hand-written address shows the list all the same', () => {
  const address = new URLSearchParams('hide=<b>,cost,,&widths=cost.9,run.99999,x.y,toString.100&sort=luck')
  expect(readColumnView(address)).toEqual({
    hidden: new Set(['cost']),
    widths: new Map([
      ['cost', 40],
      ['run', 1200],
    ]),
  })
  expect(readOrder(address, ids)).toEqual(newestFirst)
  expect(readOrder(new URLSearchParams('sort=toString'), ids)).toEqual(newestFirst)
})

test('columns that name the entry stay, whatever the address hides', () => {
  const shown = shownColumns(runColumns, { hidden: new Set(ids) })
  expect(shown.map(columnId)).toEqual(['compare', 'run'])
})

test('with one width of its own, a table has a width for each column', () => {
  expect(columnSizes(runColumns, new Map())).toBeNull()
  const sizes = columnSizes(runColumns, new Map([['cost', 321]]))
  expect(sizes).toHaveLength(runColumns.length)
  expect(sizes?.[ids.indexOf('cost')]).toBe(321)
})

test('sorting keeps every entry, is stable, and puts those without a value last both ways', () => {
  const value = fc.option(fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom('a', 'b10', 'b9')))
  fc.assert(
    fc.property(fc.array(value), fc.constantFrom('asc' as const, 'desc' as const), (values, direction) => {
      const numbers = values.map((each) => (typeof each === 'string' ? null : each))
      const entries = numbers.map((each, place) => ({ each, place }))
      const sorted = sortEntries(entries, ({ each }) => each, direction)
      expect(sorted.map(({ place }) => place).toSorted((a, b) => a - b)).toEqual([...numbers.keys()])
      for (const [at, next] of sorted.slice(1).entries()) {
        const before = sorted[at]
        if (before === undefined) throw new Error('An entry is missing.')
        if (before.each === null) expect(next.each).toBeNull()
        else if (next.each !== null) {
          const step = direction === 'asc' ? next.each - before.each : before.each - next.each
          expect(step).toBeGreaterThanOrEqual(0)
          if (step === 0) expect(next.place).toBeGreaterThan(before.place)
        }
      }
    }),
  )
})

test('names sort by the numbers in them', () => {
  expect(sortEntries(['run 10', 'run 9', 'Run 1'], (name) => name, 'asc')).toEqual([
    'Run 1',
    'run 9',
    'run 10',
  ])
})

test('a first click sorts figures from the greatest and names from the first; another turns it round', () => {
  const byCost = orderAfter(newestFirst, 'cost', true)
  expect(byCost).toEqual({ sort: 'cost', order: 'desc' })
  expect(orderAfter(byCost, 'cost', true)).toEqual({ sort: 'cost', order: 'asc' })
  expect(orderAfter(byCost, 'run', false)).toEqual({ sort: 'run', order: 'asc' })
  expect(orderAfter(newestFirst, 'created', true)).toEqual({ sort: 'created', order: 'asc' })
})

test('an errored episode is not in the share by which runs sort', () => {
  expect(solvedShare(makeRun({ episodes: { succeeded: 1, failed: 1, limited: 2, errored: 6 } }))).toBe(0.25)
  expect(solvedShare(makeRun({ episodes: { errored: 3, waiting: 2 } }))).toBeNull()
})
