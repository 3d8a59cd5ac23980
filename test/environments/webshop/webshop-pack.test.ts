import { describe, expect, test } from 'vitest'
import { folder, openFolder, packOf, smallFolder, smallItems } from './public-files.ts'

describe('a pack of the public files', () => {
  // Order, limits and texts are what a program in Python 3 gave for these products.
  test('has the synthetic goals of the original, in its order', async () => {
    const { environment, tasks } = await openFolder(smallFolder)
    const numbered = [...tasks].sort((one, other) => (one.id < other.id ? -1 : 1))
    expect(numbered.map(({ id, description }) => [id, description])).toEqual([
      [
        'webshop-0',
        'Find me soft mugs with color: navy | white, and size: small, and price lower than 40.00 dollars',
      ],
      [
        'webshop-1',
        'Find me soft mugs with color: dark red, and size: small, and price lower than 40.00 dollars',
      ],
      [
        'webshop-2',
        'Find me soft mugs with color: navy | white, and size: large, and price lower than 40.00 dollars',
      ],
      ['webshop-3', 'Find me sturdy desks'],
      [
        'webshop-4',
        'Find me soft mugs with color: dark red, and size: large, and price lower than 40.00 dollars',
      ],
      ['webshop-5', 'Find me easy clean pans with size: 10 inch, and price lower than 140.00 dollars'],
    ])
    expect(
      new Set(tasks.filter(({ description }) => description.includes('mugs')).map(({ split }) => split)).size,
    ).toBe(1)
    expect(environment.tasks()[0]?.type).toBe('synthetic-garden')
  })

  test('has human goals with the whole catalogue, or where webshop.json says so', async () => {
    const whole = {
      'data/items_shuffle.json': smallItems,
      'data/items_ins_v2.json': smallFolder['items_ins_v2_1000.json'],
      'data/items_human_ins.json': smallFolder['items_human_ins.json'],
    }
    for (const files of [whole, { ...smallFolder, 'webshop.json': { goals: 'human' } }]) {
      const { tasks } = await openFolder(files)
      expect(tasks.map(({ type, split }) => [type, split])).toEqual([
        ['human-garden', 'test'],
        ['human-garden', 'test'],
      ])
      expect(tasks.map(({ description }) => description).sort()).toEqual([
        expect.stringMatching(/^a soft mug, and price lower than [2345]0.00 dollars$/),
        'i want a lantern',
      ])
    }
  })

  test('keeps its products in the form of the shop', async () => {
    const pack = await packOf(folder(smallFolder))
    const lines = new TextDecoder()
      .decode(await pack.read('products-00001.jsonl'))
      .trim()
      .split('\n')
    const products = lines.map((line) => JSON.parse(line))
    expect(products.map(({ asin }) => asin)).toEqual(['B000000001', 'B000000002', 'B000000003', 'B000000004'])
    expect(products[0]).toMatchObject({
      query: 'coffee mugs',
      prices: [12.5],
      options: [
        ['size', ['small', 'large']],
        ['color', ['dark red', 'navy | white']],
      ],
      attributes: ['soft', 'dishwasher safe'],
    })
    expect(products[2]).toMatchObject({
      description: '',
      features: ['Heats evenly'],
      prices: [100],
      options: [['size', ['10 inch']]],
    })
    expect(products[3].prices).toEqual([1009.98, 1016])
  })

  test('is the same whenever it is made', async () => {
    const [one, other] = [await packOf(folder(smallFolder)), await packOf(folder(smallFolder))]
    expect(one.files).toEqual(['goals-00001.jsonl', 'products-00001.jsonl', 'webshop.json'])
    for (const file of one.files) expect(await one.read(file)).toEqual(await other.read(file))
  })

  const without = (name: keyof typeof smallFolder) =>
    Object.fromEntries(Object.entries(smallFolder).filter(([path]) => path !== name))

  test.each([
    ['no products', without('items_shuffle_1000.json'), 'items_shuffle.json'],
    ['no instructions', without('items_ins_v2_1000.json'), 'items_ins_v2_1000.json'],
    [
      'no human goals that were asked for',
      { ...without('items_human_ins.json'), 'webshop.json': { goals: 'human' } },
      'items_human_ins.json',
    ],
    ['no goal', { ...smallFolder, 'items_ins_v2_1000.json': {} }, 'no goal'],
    [
      'a broken item',
      { ...smallFolder, 'items_shuffle_1000.json': '[{"asin": "A"}, {"asin": 7}]' },
      'item 1',
    ],
    ['half a file', { ...smallFolder, 'items_shuffle_1000.json': '[{"asin": "A"}' }, 'item 1'],
    ['an unknown setting', { ...smallFolder, 'webshop.json': { colour: 'red' } }, 'colour'],
  ])('a folder with %s is refused with the reason', async (_name, files, reason) => {
    await expect(packOf(folder(files))).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining(reason),
    })
  })
})
