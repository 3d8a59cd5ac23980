import { expect, test } from 'vitest'
import { withEntry } from '../../../web/format/with-entry.ts'

test('one entry of an address changes, and an empty one goes', () => {
  const address = new URLSearchParams('a=1&b=2')
  expect(withEntry(address, 'a', 'x y').toString()).toBe('a=x+y&b=2')
  expect(withEntry(address, 'a', '').toString()).toBe('b=2')
  expect(address.toString()).toBe('a=1&b=2')
})
