import { pythonRepr, pythonStrip } from '../python-text.ts'
import { type Count, longestNumber, parseCount } from './count.ts'
import { findRecipe, type GivenItem, type NamedItem } from './find-recipe.ts'
import type { Recipe } from './recipe.ts'
import type { RecipeBook } from './recipe-book.ts'

/**
 * A parsed action, with every text that does not depend on the inventory. An action means the same in every state, so
 * it is parsed once per text.
 */
export type ParsedAction =
  | { readonly kind: 'refused'; readonly observation: string }
  | { readonly kind: 'inventory' }
  | { readonly kind: 'get'; readonly id: string; readonly count: Count; readonly observation: string }
  | {
      readonly kind: 'craft'
      readonly given: readonly GivenItem[]
      readonly recipe: Recipe | null
      readonly notEnough: string
      readonly observation: string
    }

/**
 * Parses an action as TextCraft does: `craft … using …`, `get N …` or `inventory`. It is anchored at the start only,
 * and everything after the first line is ignored. Case, leading spaces and missing numbers are not forgiven.
 * For a number of more than 4300 digits the reference server answers with an error. Here the action could not be
 * executed.
 */
export function parseAction(book: RecipeBook, action: string): ParsedAction {
  const end = action.indexOf('\n')
  const line = end < 0 ? action : action.slice(0, end)
  const parsed = line.startsWith('get ')
    ? parseGet(book, line)
    : line.startsWith('craft ')
      ? parseCraft(book, line)
      : line.startsWith('inventory')
        ? ({ kind: 'inventory' } as const)
        : null
  return parsed ?? { kind: 'refused', observation: `Could not execute ${action}` }
}

function parseGet(book: RecipeBook, line: string): ParsedAction | null {
  const counted = readCounted(line.slice('get '.length))
  if (counted === null || counted.count === null) return null
  const { count, name } = counted
  const { id, isTag } = readName(book, name)
  if (isTag || book.isCraftable(id) || !book.isItem(id)) {
    return { kind: 'refused', observation: `Could not find ${name}` }
  }
  return { kind: 'get', id, count, observation: `Got ${count} ${name}` }
}

function parseCraft(book: RecipeBook, line: string): ParsedAction | null {
  const using = line.lastIndexOf(' using ')
  if (using < 'craft '.length) return null
  const target = line.slice('craft '.length, using)
  const countedTarget = readCounted(target)
  if (countedTarget?.count === null) return null
  const output = readName(book, countedTarget?.name ?? target)

  const given: GivenItem[] = []
  for (const part of line.slice(using + ' using '.length).split(',')) {
    const piece = pythonStrip(part)
    const counted = readCounted(piece)
    if (counted === null) return { kind: 'refused', observation: `Wrong item format: ${piece}` }
    if (counted.count === null) return null
    given.push({ ...readName(book, counted.name), count: counted.count })
  }

  const recipe = output.isTag ? null : findRecipe(book, output.id, given)
  return {
    kind: 'craft',
    given,
    recipe,
    notEnough: `Could not find enough items to craft ${output.isTag ? 'None' : output.id}`,
    observation:
      recipe === null
        ? `Could not find a valid recipe for ${describeOutput(output, countedTarget?.count ?? 1)}`
        : `Crafted ${recipe.output.count} ${recipe.output.id}`,
  }
}

const numberAndName = /^([0-9]+) (.*)$/s

function readCounted(text: string): { count: Count | null; name: string } | null {
  const match = numberAndName.exec(text)
  if (match === null) return null
  const [, digits = '', name = ''] = match
  return { count: digits.length > longestNumber ? null : parseCount(digits), name }
}

function readName(book: RecipeBook, name: string): NamedItem {
  const id = `minecraft:${name.replaceAll(' ', '_')}`
  return { id, isTag: book.isTag(id) }
}

/** The reference prints its dataclass, and so do the texts in models' training data. */
function describeOutput({ id, isTag }: NamedItem, count: Count): string {
  const fields = isTag ? `tag=${pythonRepr(id)}, item_id=None` : `tag=None, item_id=${pythonRepr(id)}`
  return `ItemTagWithCount(item_tag=ItemTag(${fields}), count=${count})`
}
