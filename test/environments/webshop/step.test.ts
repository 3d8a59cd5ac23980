import { describe, expect, test } from 'vitest'
import type { PureCore } from '../../../shared/environments/environment.ts'
import { openFolder, publicItem, smallFolder } from './public-files.ts'

/** Plays actions from the start of a task; every answer. */
function play(core: PureCore, task: string, ...actions: string[]) {
  let { state } = core.reset(task, 0)
  return actions.map((action) => {
    const result = core.step(state, action)
    state = result.state
    return result
  })
}

const small = await openFolder({ ...smallFolder, 'webshop.json': { compatibility: 'espalier' } })
const original = await openFolder(smallFolder)
const lantern = await openFolder({
  ...smallFolder,
  'webshop.json': { goals: 'human', compatibility: 'espalier' },
})
const instruction =
  'Find me soft mugs with color: navy | white, and size: small, and price lower than 40.00 dollars'
const head = `Instruction: [SEP] ${instruction} [SEP] Back to Search [SEP]`
const mug = `${head} < Prev [SEP] size [SEP] small [SEP] large [SEP] color [SEP] dark red [SEP] navy | white [SEP] Clay Mug, Soft Glaze [SEP] Price: $12.5 [SEP] Rating: N.A. [SEP] Description [SEP] Features [SEP] Reviews [SEP] Buy Now`

describe('the pages of the shop', () => {
  test('begin with the instruction and a search', () => {
    expect(small.core.reset('webshop-0', 0).observation).toBe(
      `WebShop [SEP] Instruction: [SEP] ${instruction} [SEP] Search`,
    )
  })

  test('show hits, a product, its texts and the purchase', () => {
    const actions = [
      'search[Soft MUGS]',
      'click[B000000001]',
      'click[navy | white]',
      'click[Description]',
      'click[< Prev]',
      'click[features]',
      'click[< prev]',
      'click[reviews]',
      'click[< Prev]',
      'click[small]',
      'click[Buy Now]',
    ]
    const played = play(small.core, 'webshop-0', ...actions)
    expect(played.map(({ observation }) => observation)).toEqual([
      `${head} Page 1 (Total results: 1) [SEP] B000000001 [SEP] Clay Mug, Soft Glaze [SEP] $12.5`,
      mug,
      mug,
      `${head} < Prev [SEP] A mug with a "soft" glaze, [hand made].`,
      mug,
      `${head} < Prev [SEP] Useful [SEP] Plain`,
      mug,
      `${head} < Prev [SEP] No reviews found`,
      mug,
      mug,
      'Thank you for shopping with us! [SEP] Your code: [SEP] None [SEP] (Paste it in your MTurk interface.) [SEP] Purchased [SEP] asin [SEP] B000000001 [SEP] options [SEP] {"color": "navy | white", "size": "small"} [SEP] attrs [SEP] None [SEP] category [SEP] None [SEP] query [SEP] None [SEP] product category [SEP] None [SEP] Target [SEP] asin [SEP] options [SEP] attrs [SEP] price upper [SEP] instuction text [SEP] category [SEP] product category [SEP] query [SEP] Goal [SEP] None [SEP] Reward [SEP] Your score (min 0.0, max 1.0) [SEP] 1.0 [SEP] Reward Details [SEP] None',
    ])
    expect(played.map(({ progress }) => progress)).toEqual([
      0, 0.5, 0.75, 0.75, 0.75, 0.75, 0.75, 0.75, 0.75, 1, 1,
    ])
    expect(played.map(({ reward }) => reward)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
    expect(played.map(({ done, valid }) => done || !valid)).toEqual([...Array(10).fill(false), true])
  })

  test('show a range of prices, and no empty description', () => {
    const [, , opened] = play(small.core, 'webshop-0', 'search[lantern]', 'click[x]', 'click[b000000004]')
    expect(opened?.observation).toContain('Price: $1009.98 to $1016.0')
    const pan = play(small.core, 'webshop-0', 'search[pan]', 'click[b000000003]', 'click[description]').at(-1)
    expect(pan?.observation).toBe(`${head} < Prev`)
    expect(pan?.valid).toBe(true)
  })
})

describe('choices', () => {
  const choicesAfter = (...actions: string[]) =>
    play(small.core, 'webshop-0', 'search[mug]', 'click[b000000001]', ...actions).at(-1)?.state.choices

  test('last while the product is open, one for each option, the newest counting', () => {
    expect(
      choicesAfter('click[large]', 'click[dark red]', 'click[small]', 'click[features]', 'click[< prev]'),
    ).toEqual([
      ['size', 'small'],
      ['color', 'dark red'],
    ])
  })

  test.each(['click[< Prev]', 'click[Back to Search]', 'search[mug]'])('are forgotten after %s', (action) => {
    expect(choicesAfter('click[large]', action)).toEqual([])
  })
})

describe('what is not possible', () => {
  test.each([
    '',
    'look around',
    'search[]',
    'click[]',
    'click[search]',
    'click[B000000002]',
    ' search[mug]',
    'Search[mug]',
    'buy[now]',
    'click[next >]',
    'search\n[mug]',
    `search[${'mug '.repeat(300)}]`,
  ])('%j shows the page again and counts as invalid', (action) => {
    const [shown, again] = play(small.core, 'webshop-0', 'search[mug]', action)
    expect(again).toEqual({ ...shown, valid: false })
    expect(again?.state).toBe(shown?.state)
  })

  test('a search goes from any page, and what follows its bracket does not count', () => {
    const [, , found] = play(
      small.core,
      'webshop-0',
      'search[mug]',
      'click[b000000001]',
      'search[desk] and so on',
    )
    expect(found?.observation).toContain('B000000002')
    expect(found?.valid).toBe(true)
  })

  test('nothing more can be bought after a purchase', () => {
    const played = play(
      small.core,
      'webshop-0',
      'search[desk]',
      'click[b000000002]',
      'click[buy now]',
      'click[buy now]',
      'search[mug]',
    )
    expect(played.slice(-2).map(({ done, reward, valid }) => [done, reward, valid])).toEqual(
      Array(2).fill([true, 0, false]),
    )
  })

  test('a task that is not there names the ones that are', async () => {
    for (const task of ['webshop-6', 'webshop-00', 'webshop-x', 'constructor']) {
      await expect(small.environment.open(task)).rejects.toMatchObject({
        code: 'unknown_task',
        message: expect.stringContaining('webshop-0 to webshop-5'),
      })
    }
  })
})

describe('results', () => {
  const items = Array.from({ length: 61 }, (_, index) =>
    publicItem(`B0000001${String(index).padStart(2, '0')}`, { name: 'Plain Candle' }),
  )
  const files = {
    ...smallFolder,
    'items_shuffle_1000.json': [...items, ...smallFolder['items_shuffle_1000.json']],
  }
  const pages = ['search[plain candle]', ...Array(5).fill('click[next >]')]

  test('are fifty in pages of ten, equal ones in catalogue order, with Next > while there are more', async () => {
    const { core } = await openFolder({ ...files, 'webshop.json': { compatibility: 'espalier' } })
    const played = play(core, 'webshop-0', ...pages)
    const asins = played.slice(0, 5).flatMap(({ observation }) => observation.match(/B00000\d{4}/g))
    expect(asins).toEqual(items.slice(0, 50).map(({ asin }) => asin))
    expect(played[0]?.observation).toContain('Page 1 (Total results: 50) [SEP] Next > [SEP] B0')
    expect(played[1]?.observation).toContain('Page 2 (Total results: 50) [SEP] < Prev [SEP] Next > [SEP] B0')
    expect(played[4]?.observation).toContain('Page 5 (Total results: 50) [SEP] < Prev [SEP] B0')
    expect(played[5]?.valid).toBe(false)
  })

  test('go on past the last in the original', async () => {
    const { core } = await openFolder(files)
    const last = play(core, 'webshop-0', ...pages).at(-1)
    expect(last?.valid).toBe(true)
    expect(last?.observation).toContain('Page 6 (Total results: 50) [SEP] < Prev [SEP] Next >')
    expect(last?.observation).not.toContain('B0')
  })
})

test('an option with a bracket in its name can be chosen, unlike in the original', () => {
  const actions = ['search[lantern]', 'click[b000000004]', 'click[red [2 pack]]']
  expect(play(small.core, 'webshop-0', ...actions).at(-1)?.valid).toBe(true)
  const kept = play(original.core, 'webshop-0', ...actions).at(-1)
  expect(kept?.valid).toBe(false)
  expect(original.core.validActions?.(kept?.state ?? {})).not.toContain('click[red [2 pack]]')
})

test('valid actions are the clicks of the page, sorted, and none where only a search is possible', () => {
  expect(small.core.validActions?.(small.core.reset('webshop-0', 0).state)).toEqual([])
  const item = play(lantern.core, 'webshop-0', 'search[lantern]', 'click[b000000004]').at(-1)
  expect(lantern.core.validActions?.(item?.state ?? {})).toEqual([
    'click[< prev]',
    'click[back to search]',
    'click[buy now]',
    'click[description]',
    'click[features]',
    'click[greenish]',
    'click[red [2 pack]]',
    'click[reviews]',
  ])
})
