import { expect, test } from 'vitest'
import { selectTasks } from '../../shared/environments/select-tasks.ts'
import { openFolder, publicItem } from '../environments/webshop/public-files.ts'
import { describeWithConformance, readConformance } from './conformance-folder.ts'

/** As many human goals as the whole public catalogue has. */
const goalCount = 12_087
const goalsOfProduct = 10

const load = () => ({
  testIndices: readConformance<number[]>('eto/splits/webshop-test_indices.json'),
  trainIndices: readConformance<number[]>('eto/splits/webshop-train_indices.json'),
})

describeWithConformance('eto/splits/webshop-test_indices.json', load, ({ testIndices, trainIndices }) => {
  const shop = openFolder(wholeCatalogue())

  test.each([
    ['test', testIndices, 200],
    ['train', trainIndices, 1823],
  ])('the index list of ETO for %s selects as many tasks, in its order', async (_split, indices, count) => {
    const { environment } = await shop
    const ids = indices.map((index) => `webshop-${index}`)
    const selected = selectTasks(environment, { ids })
    expect(selected.map(({ id }) => id)).toEqual([...new Set(ids)])
    expect(selected).toHaveLength(count)
  })

  test('an index names the goal that the shuffle of the original puts there', async () => {
    const { environment } = await shop
    const goalAt = (index: number) =>
      selectTasks(environment, { ids: [`webshop-${index}`] })[0]?.description.split(',')[0]
    // What Python 3 gives for random.seed(233) and random.shuffle of 12,087 numbers.
    expect([0, 1, 2, 3, 4, 5, 2853, 5934].map(goalAt)).toEqual(
      [8655, 10304, 6940, 2750, 3667, 2144, 8484, 9203].map((number) => `wish ${number}`),
    )
  })

  test('test, dev and train are those of the WebShop paper', async () => {
    const { environment } = await shop
    const splits = new Map(environment.tasks().map(({ id, split }) => [id, split]))
    const indices = [0, 499, 500, 1499, 1500, goalCount - 1]
    expect(indices.map((index) => splits.get(`webshop-${index}`))).toEqual([
      'test',
      'test',
      'dev',
      'dev',
      'train',
      'train',
    ])
  })
})

/** A made-up catalogue in the form of the public files, with numbered wishes. */
function wholeCatalogue(): Record<string, unknown> {
  const asinOf = (product: number) => `B${String(product).padStart(9, '0')}`
  const human: Record<string, object[]> = {}
  for (let wish = 0; wish < goalCount; wish += 1) {
    const asin = asinOf(Math.floor(wish / goalsOfProduct))
    human[asin] ??= []
    human[asin].push({
      instruction: `wish ${wish}`,
      instruction_attributes: ['plain'],
      instruction_options: [],
    })
  }
  return {
    'items_shuffle.json': Object.keys(human).map((asin) => publicItem(asin)),
    'items_ins_v2.json': {},
    'items_human_ins.json': human,
  }
}
