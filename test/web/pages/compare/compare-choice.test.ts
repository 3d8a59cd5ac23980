import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareAddress } from '../../../../web/format/addresses.ts'
import { mostRuns, readChoice, writeChoice } from '../../../../web/pages/compare/compare-choice.ts'

const read = (query: string) => readChoice(new URLSearchParams(query))

test('an address without a choice compares nothing, with the usual intervals', () => {
  expect(read('')).toEqual({ runs: [], interval: 't', over: 'calls' })
})

test('what the address says wrongly is as by default', () => {
  expect(read('interval=exact&over=sleep')).toEqual({ runs: [], interval: 't', over: 'calls' })
})

test('a run that is named twice counts once, and no more are taken than can be compared', () => {
  expect(read('runs=a,,b,a,%20c').runs).toEqual(['a', 'b', 'c'])
  const many = Array.from({ length: 30 }, (_, index) => `run-${index}`)
  expect(read(`runs=${many.join(',')}`).runs).toEqual(many.slice(0, mostRuns))
})

test('links of other pages lead to their runs', () => {
  expect(read(new URL(compareAddress(['a', 'b']), 'http://localhost').search).runs).toEqual(['a', 'b'])
})

test('what is written is read back', () => {
  const id = fc.stringMatching(/^[a-z0-9-]{1,20}$/)
  fc.assert(
    fc.property(
      fc.uniqueArray(id, { maxLength: mostRuns }),
      fc.constantFrom('t' as const, 'bootstrap' as const),
      fc.constantFrom('calls' as const, 'tokens' as const, 'cost' as const),
      (runs, interval, over) => {
        const choice = { runs, interval, over }
        expect(read(writeChoice(choice))).toEqual(choice)
      },
    ),
  )
})
