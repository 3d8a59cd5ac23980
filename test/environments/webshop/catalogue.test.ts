import { describe, expect, test } from 'vitest'
import { createCatalogue, remembered } from '../../../shared/environments/webshop/catalogue.ts'
import { completeProduct, type StoredProduct } from '../../../shared/environments/webshop/product.ts'

const stored = (asin: string, name: string, fields: Partial<StoredProduct> = {}): StoredProduct => ({
  asin,
  name,
  category: 'fashion',
  query: 'things',
  product_category: 'Things',
  description: '',
  features: [],
  prices: [10],
  options: [],
  attributes: ['hidden quality'],
  ...fields,
})

const { add, catalogue } = createCatalogue()
add([stored('B3', 'Running Shoes'), stored('B1', 'Rain Boots', { description: 'For running in the rain.' })])
add([
  stored('B2', 'Sandals', {
    features: ['Cork sole', 'Rubber strap'],
    options: [['colour', ['sky blue', 'tan']]],
  }),
  stored('B3', 'The same number again'),
  stored('B0', 'Slippers'),
  stored('B9', 'Slippers'),
])

describe('a search', () => {
  test.each([
    ['the stem of a word', 'shoe run', ['B3', 'B1']],
    ['any of the words, in any case', 'BOOTS or cork', ['B1', 'B2']],
    ['the options', 'sky-blue', ['B2']],
    ['the first feature and no other', 'strap sole', ['B2']],
    ['equal products in the order of the catalogue', 'slippers', ['B0', 'B9']],
  ])('finds %s', (_what, keywords, asins) => {
    expect(catalogue.search(keywords)).toEqual(asins)
  })

  test.each(['', 'the of and', '?!', 'strap', 'hidden quality', 'again'])(
    'finds nothing for "%s"',
    (keywords) => {
      expect(catalogue.search(keywords)).toEqual([])
    },
  )
})

test('a product is found by its number, the first of that number', () => {
  expect(catalogue.find('B3')?.name).toBe('Running Shoes')
  expect(catalogue.find('B4')).toBeNull()
})

test('the price within a range is always the same, and shown as a range', () => {
  const ranged = completeProduct(stored('B5', 'Hat', { prices: [9.98, 16] }))
  expect(ranged.price_tag).toBe('$9.98 to $16.0')
  expect(ranged.price).toBeGreaterThanOrEqual(9.98)
  expect(ranged.price).toBeLessThan(16)
  expect(completeProduct(stored('B5', 'Hat', { prices: [9.98, 16] }))).toEqual(ranged)
  expect(completeProduct(stored('B6', 'Hat', { prices: [9.98, 16] })).price).not.toBe(ranged.price)
})

test('what is remembered is made once, and the oldest goes when there is too much of it', () => {
  const kept = new Map<string, string>()
  const made: string[] = []
  const get = (key: string) =>
    remembered(kept, 2, key, (asked) => {
      made.push(asked)
      return asked.toUpperCase()
    })
  expect(['a', 'b', 'a', 'c', 'b', 'a'].map(get)).toEqual(['A', 'B', 'A', 'C', 'B', 'A'])
  expect(made).toEqual(['a', 'b', 'c', 'a'])
  expect(kept.size).toBe(2)
})
