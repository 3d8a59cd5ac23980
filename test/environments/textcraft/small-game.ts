import { createRecipeBook } from '../../../shared/environments/textcraft/recipe-book.ts'
import {
  createTextcraftStep,
  type Inventory,
  type TextcraftState,
} from '../../../shared/environments/textcraft/step.ts'

const item = (name: string) => ({ item: `minecraft:${name}` })
const tag = (name: string) => ({ tag: `minecraft:${name}` })

/** A handful of recipes with every rule of the loader in it. */
export const smallRecipes = {
  birch_planks: planks('birch'),
  // Planks of one kind and planks of any kind: one item can be given for both.
  crate: {
    type: 'minecraft:crafting_shaped',
    pattern: ['AB'],
    key: { A: item('oak_planks'), B: tag('planks') },
    result: item('crate'),
  },
  iron_ingot_from_iron_block: {
    type: 'minecraft:crafting_shapeless',
    ingredients: [item('iron_block')],
    result: { ...item('iron_ingot'), count: 9 },
  },
  iron_ingot_from_nuggets: {
    type: 'minecraft:crafting_shaped',
    pattern: ['###', '###', '###'],
    key: { '#': item('iron_nugget') },
    result: item('iron_ingot'),
  },
  iron_nugget: {
    type: 'minecraft:crafting_shapeless',
    ingredients: [item('iron_ingot')],
    result: { ...item('iron_nugget'), count: 9 },
  },
  oak_planks: planks('oak'),
  smelted: { type: 'minecraft:smelting', ingredient: item('iron_ore'), result: 'minecraft:iron_ingot' },
  stick: {
    type: 'minecraft:crafting_shaped',
    group: 'sticks',
    pattern: ['#', '#'],
    key: { '#': tag('planks') },
    result: { ...item('stick'), count: 4 },
  },
  torch: {
    type: 'minecraft:crafting_shaped',
    pattern: ['X', '#'],
    key: { '#': item('stick'), X: [item('coal'), item('charcoal')] },
    result: { ...item('torch'), count: 4 },
  },
}

function planks(wood: string) {
  return {
    type: 'minecraft:crafting_shapeless',
    group: 'planks',
    ingredients: [tag(`${wood}_logs`)],
    result: { ...item(`${wood}_planks`), count: 4 },
  }
}

export const smallBook = createRecipeBook(smallRecipes)
export const step = createTextcraftStep(smallBook)

/** Plays actions from an inventory, and gives every observation and the last result. */
export function play(
  actions: readonly string[],
  { goal = 'minecraft:torch', inventory = {} as Inventory } = {},
) {
  let state: TextcraftState = { goal, inventory }
  const results = actions.map((action) => {
    const result = step(state, action)
    state = result.state
    return result
  })
  return { state, results, observations: results.map(({ observation }) => observation), last: results.at(-1) }
}
