import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runFilterSchema, runStatusSchema } from '../../../../shared/core/contracts/run.ts'
import { withEntry } from '../../../../web/format/with-entry.ts'
import {
  readChosen,
  readFilters,
  statuses,
  withChosen,
  withoutFilters,
} from '../../../../web/pages/runs/run-filters.ts'

test('filters that are set in an address are read back, and can be cleared', () => {
  const value = fc.oneof(fc.string({ maxLength: 50 }), fc.constant('a&b=c +שלום'))
  fc.assert(
    fc.property(value, value, fc.constantFrom(...statuses), (name, model, status) => {
      const address = (
        [
          ['name', name],
          ['model', model],
          ['status', status],
        ] as const
      ).reduce((next, [filter, text]) => withEntry(next, filter, text), new URLSearchParams('chosen=a,b'))
      const read = readFilters(new URLSearchParams(address.toString()))
      expect(read).toEqual({ status, ...(name !== '' && { name }), ...(model !== '' && { model }) })
      expect(runFilterSchema.parse(read)).toEqual(read)
      expect(withoutFilters(address).toString()).toBe('chosen=a%2Cb')
    }),
  )
})

test('the statuses are those of the contract, and no other is asked for', () => {
  expect([...statuses]).toEqual(runStatusSchema.options)
  expect(readFilters(new URLSearchParams('status=gone&name=x'))).toEqual({ name: 'x' })
})

test('runs are chosen in order, once each, and let go', () => {
  const both = withChosen(withChosen(new URLSearchParams('name=x'), 'run-2', true), 'run-1', true)
  expect(readChosen(both)).toEqual(['run-2', 'run-1'])
  expect(readChosen(withChosen(both, 'run-1', true))).toEqual(['run-2', 'run-1'])
  expect(withChosen(withChosen(both, 'run-2', false), 'run-1', false).toString()).toBe('name=x')
})
