import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitJsonArray } from '../../../shared/environments/webshop/webshop-pack.ts'

const split = (text: string) => [...splitJsonArray(new TextEncoder().encode(text))]

test('gives the same items as parsing the whole array, however it is written', () => {
  const items = fc.array(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()))
  fc.assert(
    fc.property(items, fc.nat(3), (array, indent) => {
      const text = JSON.stringify(array, null, indent)
      expect(split(text)).toEqual(JSON.parse(text))
    }),
  )
})

test('brackets, quotes and backslashes within texts are no structure', () => {
  expect(split('[{"a":"]}\\"{["},\n{"b\\\\":[{}]}]')).toEqual([{ a: ']}"{[' }, { 'b\\': [{}] }])
})

test.each(['[{"a":1}', '[{"a":1},{"b":', '{"a":1},{"b":2}'])('refuses %s', (text) => {
  expect(() => split(text)).toThrow(SyntaxError)
})
