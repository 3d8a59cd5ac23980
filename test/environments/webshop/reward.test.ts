import { expect, test } from 'vitest'
import type { Catalogue } from '../../../shared/environments/webshop/catalogue.ts'
import type { Goal } from '../../../shared/environments/webshop/goal.ts'
import { completeProduct, type Product } from '../../../shared/environments/webshop/product.ts'
import { type Choice, type Compatibility, createReward } from '../../../shared/environments/webshop/reward.ts'
import * as words from '../../../shared/environments/webshop/words.ts'

const product = (fields: Partial<Product> = {}): Product => ({
  ...completeProduct({
    asin: 'B000000001',
    name: 'Tidewell Ceramic Lamp',
    category: 'garden',
    query: 'table lamps',
    product_category: 'Home › Lighting › Lamps',
    description: 'It gives a WARM light.',
    features: ['Easy to clean', 'Comes with a bulb'],
    prices: [25],
    options: [],
    attributes: ['energy saving'],
  }),
  ...fields,
})

const goal = (fields: Partial<Goal> = {}): Goal => ({
  asin: 'B000000001',
  category: 'garden',
  kind: 'synthetic',
  instruction: '',
  attributes: ['energy saving', 'warm light'],
  options: [['color', 'sky blue']],
  price_upper: 40,
  ...fields,
})

function earn(
  wanted: Goal,
  bought: Product,
  choices: Choice[] = [],
  compatibility: Compatibility = 'espalier',
  original = product(),
): number {
  const catalogue: Catalogue = { find: () => original, search: () => [] }
  return createReward(catalogue, compatibility, words)(wanted, 0, bought, choices)
}

test('everything asked for earns 1, and each missing part its share', () => {
  const blue: Choice[] = [['color', 'sky blue']]
  expect(earn(goal(), product(), blue)).toBe(1)
  expect(earn(goal(), product())).toBe(3 / 4)
  expect(earn(goal(), product({ price: 41 }), blue)).toBe(3 / 4)
  expect(earn(goal(), product({ attributes: [] }), blue)).toBe(3 / 4)
  expect(earn(goal({ options: [] }), product())).toBe(1)
})

test('attributes also count when the title, a feature or the description names them', () => {
  const named = goal({ attributes: ['ceramic', 'easy to clean', 'warm light', 'wireless'], options: [] })
  expect(earn(named, product())).toBe(4 / 5)
})

test('colours are compared by their colour word', () => {
  expect(earn(goal(), product(), [['color', 'ocean blue']])).toBe(1)
  expect(earn(goal(), product(), [['color', 'forest green']])).toBe(3 / 4)
})

test('the original compares a colour within a word on one side only, and never pays for it', () => {
  const darkRed = goal({ options: [['color', 'darkred']] })
  const choice: Choice[] = [['color', 'darkred']]
  expect(earn(darkRed, product(), choice)).toBe(1)
  expect(earn(darkRed, product(), choice, 'original')).toBe(3 / 4)
  expect(earn(goal(), product(), [['color', 'sky blue']], 'original')).toBe(1)
  expect(earn(goal({ options: [[null, 'darkred']] }), product(), choice, 'original')).toBe(1)
})

test('another kind of product earns less by its title, its search and its category', () => {
  const all: Choice[] = [['color', 'sky blue']]
  const other = { query: 'bulbs', product_category: 'Tools', attributes: ['energy saving', 'warm light'] }
  const like = (name: string, fields: Partial<Product> = {}) =>
    earn(goal(), product({ ...other, name, ...fields }), all)
  const wanted = product().name
  expect(like('Tidewell Candle')).toBe(1)
  expect(like('Zebra Poster')).toBe(0)
  expect(like('Zebra Poster', { query: 'table lamps' })).toBe(0)
  const long = product({ name: `${wanted} Shade Base Cord Switch Socket Bulb Plug Stand Frame Hook Knob` })
  const overlap = (name: string, fields: Partial<Product> = {}) =>
    earn(goal(), product({ ...other, name, ...fields }), all, 'espalier', long)
  expect(overlap('Desk Plug Stand')).toBe(0.5)
  expect(overlap('Desk Plug Stand', { query: 'table lamps' })).toBe(1)
  expect(overlap('Desk Plug Stand', { product_category: 'Lighting › Home' })).toBe(1)
  expect(overlap('Desk Plug', { query: 'table lamps' })).toBe(0.1)
})

// What thefuzz 0.19 says of token_set_ratio(one, other) > 85.
test.each([
  ['tea tree', 'Tea-Tree oil', true],
  ['essential oil', 'essential oils', true],
  ['x-large', 'large', true],
  ['café noir', 'caf noir', true],
  ['non slip', 'anti slip', false],
  ['dry hair', 'dry skin', false],
  ['gluten free', 'glutenfree', false],
  ['!!', '!!', false],
])('"%s" and "%s" are the same: %s', (one, other, same) => {
  expect(words.hasSimilarWords(words.wordsOf(one), words.wordsOf(other))).toBe(same)
})
