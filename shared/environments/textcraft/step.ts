import type { StepResult } from '../environment.ts'
import { addCounts, type Count, isLess, subtractCounts } from './count.ts'
import type { GivenItem } from './find-recipe.ts'
import { type ParsedAction, parseAction } from './parse-action.ts'
import { displayName } from './recipe.ts'
import type { RecipeBook } from './recipe-book.ts'

export type Inventory = { [id: string]: Count }

export type TextcraftState = { goal: string; inventory: Inventory }

/**
 * Searches repeat their actions, so parsed ones are cached, within a limit: a model's endless inventions must not
 * fill the memory.
 */
const mostKeptActions = 4096
const longestKeptAction = 256

/**
 * The rules of TextCraft over one recipe book. Observations, rewards and ends equal those of AgentGym's server,
 * character for character. A refused action changes nothing, earns 0 and does not end the episode. The server does
 * not stop an episode after its goal either. In one case the server returns no observation, only an error. An item is
 * named twice, the inventory suffices for each mention alone, and the first mention uses it up. Here the action is
 * refused as `Could not find enough items to craft …`.
 */
export function createTextcraftStep(
  book: RecipeBook,
): (state: TextcraftState, action: string) => StepResult<TextcraftState> {
  const kept = new Map<string, ParsedAction>()
  const parse = (action: string): ParsedAction => {
    const known = kept.get(action)
    if (known) return known
    const parsed = parseAction(book, action)
    if (action.length > longestKeptAction) return parsed
    if (kept.size >= mostKeptActions) kept.clear()
    kept.set(action, parsed)
    return parsed
  }

  return (state, action) => {
    const parsed = parse(action)
    switch (parsed.kind) {
      case 'refused':
        return unchanged(state, parsed.observation, false)
      case 'inventory':
        return unchanged(state, describeInventory(state.inventory), true)
      case 'get':
        return gained(state, state.inventory, parsed.id, parsed.count, parsed.observation)
      case 'craft': {
        const { recipe, given } = parsed
        if (!holds(state.inventory, given)) return unchanged(state, parsed.notEnough, false)
        if (recipe === null) return unchanged(state, parsed.observation, false)
        const rest = without(state.inventory, given)
        if (rest === null) return unchanged(state, parsed.notEnough, false)
        return gained(state, rest, recipe.output.id, recipe.output.count, parsed.observation)
      }
    }
  }
}

function unchanged(state: TextcraftState, observation: string, valid: boolean): StepResult<TextcraftState> {
  return { state, observation, reward: 0, done: false, valid, progress: 0 }
}

function gained(
  { goal }: TextcraftState,
  inventory: Inventory,
  id: string,
  count: Count,
  observation: string,
): StepResult<TextcraftState> {
  const held = inventory[id]
  const next = { ...inventory, [id]: held === undefined ? count : addCounts(held, count) }
  const done = id === goal
  const reward = done ? 1 : 0
  return { state: { goal, inventory: next }, observation, reward, done, valid: true, progress: reward }
}

function describeInventory(inventory: Inventory): string {
  let text = 'Inventory: '
  let isEmpty = true
  for (const id in inventory) {
    isEmpty = false
    text += `[${displayName(id)}] (${inventory[id]}) `
  }
  return isEmpty ? `${text}You are not carrying anything.` : text
}

/** Checks each item on its own, as the reference does: repeated items are not added up. */
function holds(inventory: Inventory, given: readonly GivenItem[]): boolean {
  for (const { id, isTag, count } of given) {
    const held = isTag ? undefined : inventory[id]
    if (held === undefined || isLess(held, count)) return false
  }
  return true
}

/** Null when an item named twice is used up by the first: the reference's `KeyError`. */
function without(inventory: Inventory, given: readonly GivenItem[]): Inventory | null {
  const rest = { ...inventory }
  for (const { id, count } of given) {
    const held = rest[id]
    if (held === undefined) return null
    const left = subtractCounts(held, count)
    if (left === 0) delete rest[id]
    else rest[id] = left
  }
  return rest
}
