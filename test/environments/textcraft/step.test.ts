import { describe, expect, test } from 'vitest'
import { play } from './small-game.ts'

const invalid = (name: string, count: string | number = 1) =>
  `Could not find a valid recipe for ItemTagWithCount(item_tag=ItemTag(tag=None, item_id=${name}), count=${count})`

/** What is answered to one action with this inventory. */
const answer = (action: string, inventory: Record<string, number | string> = {}) =>
  play([action], { inventory }).observations[0]

describe('a whole episode', () => {
  test('crafts the goal from what can be got, with reward 1 at the goal alone', () => {
    const { results, observations } = play([
      'get 1 oak logs',
      'craft 4 oak planks using 1 oak logs',
      'craft 4 stick using 2 oak planks',
      'get 1 coal',
      'craft 4 torch using 1 stick, 1 coal',
      'inventory',
    ])
    expect(observations).toEqual([
      'Got 1 oak logs',
      'Crafted 4 minecraft:oak_planks',
      'Crafted 4 minecraft:stick',
      'Got 1 coal',
      'Crafted 4 minecraft:torch',
      'Inventory: [oak planks] (2) [stick] (3) [torch] (4) ',
    ])
    expect(results.map(({ reward, done }) => [reward, done])).toEqual([
      [0, false],
      [0, false],
      [0, false],
      [0, false],
      [1, true],
      [0, false],
    ])
  })

  test('goes on after the goal, and rewards it again', () => {
    const inventory = { 'minecraft:stick': 2, 'minecraft:coal': 2 }
    const { results } = play(['craft torch using 1 stick, 1 coal', 'craft torch using 1 coal, 1 stick'], {
      inventory,
    })
    expect(results.map(({ reward }) => reward)).toEqual([1, 1])
  })

  test('rewards a goal that is got', () => {
    expect(play(['get 3 coal'], { goal: 'minecraft:coal' }).last).toMatchObject({ reward: 1, done: true })
  })
})

describe('get', () => {
  test.each([
    ['what has a recipe', 'get 1 stick', 'Could not find stick'],
    ['a tag', 'get 3 planks', 'Could not find planks'],
    ['a tag that is only a group', 'get 3 sticks', 'Could not find sticks'],
    ['what does not exist', 'get 1 bogus', 'Could not find bogus'],
    ['nothing', 'get 1 ', 'Could not find '],
    ['a name with a space too many', 'get 1  coal', 'Could not find  coal'],
    ['a name with a space after it', 'get 1 coal ', 'Could not find coal '],
    ['a name in capitals', 'get 1 Coal', 'Could not find Coal'],
  ])('does not find %s', (_what, action, observation) => {
    expect(answer(action)).toBe(observation)
  })

  test.each([
    ['an underscore for a space', 'get 1 iron_ore', 'Could not find iron_ore'],
    ['an underscore in a known name', 'get 2 oak_logs', 'Got 2 oak_logs'],
    ['leading zeros', 'get 007 coal', 'Got 7 coal'],
    ['zero', 'get 0 coal', 'Got 0 coal'],
    ['what only a dropped block recipe uses', 'get 1 iron block', 'Got 1 iron block'],
    ['more lines', 'get 1 coal\nget 2 coal', 'Got 1 coal'],
  ])('takes %s', (_what, action, observation) => {
    expect(answer(action)).toBe(observation)
  })

  test('keeps an entry of nothing', () => {
    expect(play(['get 0 coal', 'inventory']).observations[1]).toBe('Inventory: [coal] (0) ')
  })

  test('counts exactly where JSON numbers end', () => {
    const { observations, state } = play([
      'get 9007199254740991 coal',
      'get 2 coal',
      'get 0099999999999999999999 oak logs',
      'inventory',
    ])
    expect(observations.at(-1)).toBe(
      'Inventory: [coal] (9007199254740993) [oak logs] (99999999999999999999) ',
    )
    expect(JSON.parse(JSON.stringify(state))).toEqual(state)
  })

  test('comes back to plain numbers when a huge count shrinks', () => {
    const inventory = { 'minecraft:coal': '9007199254740992', 'minecraft:stick': 1 }
    expect(play(['craft torch using 1 coal, 1 stick'], { inventory }).state.inventory).toEqual({
      'minecraft:coal': 9007199254740991,
      'minecraft:torch': 4,
    })
  })
})

describe('craft', () => {
  const inventory = { 'minecraft:oak_planks': 8, 'minecraft:birch_planks': 1, 'minecraft:oak_logs': 2 }

  test.each([
    [
      'a tag filled by any item that carries it',
      'craft 4 stick using 2 oak planks',
      'Crafted 4 minecraft:stick',
    ],
    ['any number before the output', 'craft 999 stick using 2 oak planks', 'Crafted 4 minecraft:stick'],
    ['no number before the output', 'craft stick using 2 oak planks', 'Crafted 4 minecraft:stick'],
    [
      'spaces around the commas',
      'craft crate using  1 oak planks ,1 birch planks\t',
      'Crafted 1 minecraft:crate',
    ],
    [
      'one item for two ingredients',
      'craft crate using 1 oak planks, 1 oak planks',
      'Crafted 1 minecraft:crate',
    ],
    ['two batches', 'craft 8 oak planks using 2 oak logs', invalid("'minecraft:oak_planks'", 8)],
    ['an unknown output', 'craft 1 bogus using 1 oak planks', invalid("'minecraft:bogus'")],
    ['an apostrophe', "craft 2 jack's using 1 oak planks", invalid('"minecraft:jack\'s"', 2)],
    ['both quotes', `craft a'b"c using 1 oak planks`, invalid(`'minecraft:a\\'b"c'`)],
    [
      'what does not print',
      'craft é\u00a0\u0001\\ using 1 oak planks',
      invalid("'minecraft:é\\xa0\\x01\\\\'"),
    ],
    ['a dropped recipe', 'craft 9 iron nugget using 1 oak planks', invalid("'minecraft:iron_nugget'", 9)],
    ['two ingredients too few', 'craft crate using 1 oak planks', invalid("'minecraft:crate'")],
    [
      'a tag as output',
      'craft 4 planks using 1 oak logs',
      "Could not find a valid recipe for ItemTagWithCount(item_tag=ItemTag(tag='minecraft:planks', item_id=None), count=4)",
    ],
    ['the last "using"', 'craft a using b using 1 oak planks', invalid("'minecraft:a_using_b'")],
    ['too few', 'craft stick using 9 oak planks', 'Could not find enough items to craft minecraft:stick'],
    ['too few for a tag', 'craft planks using 9 oak planks', 'Could not find enough items to craft None'],
    ['a tag as input', 'craft stick using 2 planks', 'Could not find enough items to craft minecraft:stick'],
    ['words for numbers', 'craft stick using two planks', 'Wrong item format: two planks'],
    ['no number', 'craft stick using planks , 1 x', 'Wrong item format: planks'],
    ['a comma too many', 'craft stick using 2 oak planks,', 'Wrong item format: '],
    ['digits of other scripts', 'craft stick using ٢ oak planks', 'Wrong item format: ٢ oak planks'],
    [
      'a separator that Python strips',
      'craft stick using \u001c2 oak planks\u0085',
      'Crafted 4 minecraft:stick',
    ],
    ['a byte order mark, which Python keeps', 'craft stick using \ufeff2 x', 'Wrong item format: \ufeff2 x'],
    ['a line break inside a name', 'craft stick using 2 oak planks\nand more', 'Crafted 4 minecraft:stick'],
    [
      'a return, which is no line break',
      'craft stick using 2 a\rb',
      'Could not find enough items to craft minecraft:stick',
    ],
  ])('answers %s', (_what, action, observation) => {
    expect(answer(action, inventory)).toBe(observation)
  })

  test('checks each given item by itself, so a count can fall below zero', () => {
    const { observations } = play(['craft crate using 1 oak planks, 1 oak planks', 'inventory'], {
      inventory: { 'minecraft:oak_planks': 3 },
    })
    expect(observations[1]).toBe('Inventory: [oak planks] (1) [crate] (1) ')
  })

  test('refuses, at no cost, what the first of two equal ingredients uses up', () => {
    const before = { 'minecraft:oak_planks': 1 }
    const { last, state } = play(['craft crate using 1 oak planks, 1 oak planks'], { inventory: before })
    expect(last?.observation).toBe('Could not find enough items to craft minecraft:crate')
    expect(state.inventory).toEqual({ 'minecraft:oak_planks': 1 })
  })

  test('puts what was used up and crafted again at the end of the inventory', () => {
    const { observations } = play(['craft oak planks using 1 oak logs', 'get 1 oak logs', 'inventory'], {
      inventory: { 'minecraft:oak_logs': 1, 'minecraft:coal': 1 },
    })
    expect(observations[2]).toBe('Inventory: [coal] (1) [oak planks] (4) [oak logs] (1) ')
  })
})

describe('other actions', () => {
  test.each([
    ['inventory', 'Inventory: You are not carrying anything.'],
    ['inventory please', 'Inventory: You are not carrying anything.'],
    ['inventoryx\n', 'Inventory: You are not carrying anything.'],
    ['Inventory', 'Could not execute Inventory'],
    ['', 'Could not execute '],
    [' get 1 coal', 'Could not execute  get 1 coal'],
    ['GET 1 coal', 'Could not execute GET 1 coal'],
    ['get two coal', 'Could not execute get two coal'],
    ['get -1 coal', 'Could not execute get -1 coal'],
    ['get 1.5 coal', 'Could not execute get 1.5 coal'],
    ['get ١ coal', 'Could not execute get ١ coal'],
    ['get 1\ncoal', 'Could not execute get 1\ncoal'],
    ['craft stick', 'Could not execute craft stick'],
    ['craft using 2 oak planks', 'Could not execute craft using 2 oak planks'],
    ['craft stick\nusing 2 oak planks', 'Could not execute craft stick\nusing 2 oak planks'],
    ['craft stick using', 'Could not execute craft stick using'],
  ])('%j is answered with %j', (action, observation) => {
    expect(answer(action)).toBe(observation)
  })

  test.each([
    (digits: string) => `get ${digits} coal`,
    (digits: string) => `craft ${digits} stick using 1 coal`,
    (digits: string) => `craft 4 stick using ${digits} coal`,
  ])('a number that Python refuses to read cannot be executed', (write) => {
    const action = write('1'.repeat(4301))
    expect(answer(action)).toBe(`Could not execute ${action}`)
    expect(answer(write('1'.repeat(4300)))).not.toContain('Could not execute')
  })
})
