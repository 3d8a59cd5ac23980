import fc from 'fast-check'
import { expect, test } from 'vitest'
import { askedAddress } from '../../../../web/format/addresses.ts'
import { neighbours } from '../../../../web/pages/episode/neighbours.ts'
import { readChoice, views, writeChoice } from '../../../../web/pages/episode/use-explorer-address.ts'
import { colours } from '../../../../web/tree/colouring.ts'

test('an address says what is chosen, and what it says is chosen again', () => {
  const choice = fc.record({
    view: fc.constantFrom(...views),
    node: fc.option(fc.nat(999_999_999)),
    step: fc.option(fc.nat(999_999_999)),
    find: fc.string(),
    colour: fc.constantFrom(...colours),
  })
  fc.assert(
    fc.property(choice, (each) => {
      const address = writeChoice(new URLSearchParams('other=1'), each).toString()
      expect(readChoice(new URLSearchParams(address))).toEqual(each)
      expect(address).toContain('other=1')
    }),
  )
})

test('what is as it is at first is not in the address', () => {
  const first = { view: 'map', node: null, step: null, find: '', colour: 'value' } as const
  expect(
    writeChoice(new URLSearchParams('view=outline&node=3&step=1&find=x&colour=entropy'), first).toString(),
  ).toBe('')
})

test('what an address says wrongly counts as not said', () => {
  expect(readChoice(new URLSearchParams('view=secret&node=-1&step=1e9&colour=red'))).toEqual({
    view: 'map',
    node: null,
    step: null,
    find: '',
    colour: 'value',
  })
})

test('episodes have neighbours within their run', () => {
  expect(neighbours('ep-0000000', 2)).toEqual({ previous: null, next: 'ep-0000001' })
  expect(neighbours('ep-0000001', 2)).toEqual({ previous: 'ep-0000000', next: null })
  expect(neighbours('ep-0000005', undefined)).toEqual({ previous: 'ep-0000004', next: null })
  expect(neighbours('elsewhere', 9)).toEqual({ previous: null, next: null })
})

test('an annotation leads to the episode that it asks about, where that is one of a run', () => {
  expect(askedAddress('run-2/ep-0000003')).toBe('/runs/run-2/episodes/ep-0000003')
  expect(askedAddress('import-2/row-3')).toBeNull()
  expect(askedAddress('javascript:alert(1)/ep-0000003')).toBeNull()
})
