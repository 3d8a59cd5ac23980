import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Json } from '../../../../shared/core/contracts/json.ts'
import {
  itemIn,
  own,
  storedKey,
  storedName,
  storedValue,
} from '../../../../shared/core/world/aws/ledger-item.ts'

test('any item comes back from what is stored, and what is ours never shows', () => {
  const names = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(...Object.values(own), '', '__proto', '_a'),
  )
  // AWS's own marshalling drops this name inside a value; nothing that is stored has it.
  const values = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('"__proto__"'))
  const items = fc.dictionary(names, values)
  fc.assert(
    fc.property(items, (drawn) => {
      const item = JSON.parse(JSON.stringify(drawn)) as Record<string, Json>
      const attributes = Object.entries(item).map(([name, value]) => [storedName(name), storedValue(value)])
      const stored = {
        ...storedKey({ partition: 'p', sort: 's' }),
        [own.expires]: { N: '5' },
        [own.stamp]: { S: 'x' },
        ...Object.fromEntries(attributes),
      }
      expect(itemIn(stored)).toEqual(item)
    }),
  )
})
