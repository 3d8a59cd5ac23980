import { posix } from 'node:path'
import { EspalierError } from '../../core/contracts/errors.ts'
import type { DataPack, PackFile, PackSource } from '../data-pack.ts'
import { recipeFolder, recipesFile } from './definition.ts'
import { createRecipeBook, type RecipeBook } from './recipe-book.ts'

const orderFile = 'order.txt'
const suffix = '.json'

type PackedRecipes = readonly (readonly [name: string, recipe: unknown])[]

/**
 * Picks the crafting recipes from the folder that an AgentGym server loads. The server takes its files in the file
 * system's order. That order numbers the goals of one depth, and decides which of two reversible recipes is kept. The
 * pack therefore keeps the folder's order, or that of an `order.txt` beside the recipes.
 * @throws EspalierError `invalid_request` for files that are no recipes, or an order that does not name each once
 */
export async function* collectRecipes(source: PackSource): AsyncIterable<PackFile> {
  const paths = await orderedPaths(source)
  const recipes: [string, unknown][] = []
  for (const path of paths) {
    const recipe = parseJson(path, await source.read(path))
    if (isCrafting(recipe)) recipes.push([posix.basename(path, suffix), recipe])
  }
  if (recipes.length === 0) {
    throw new EspalierError('invalid_request', `There are no crafting recipes here. Give ${recipeFolder}.`)
  }
  createRecipeBook(Object.fromEntries(recipes))
  yield { path: recipesFile, body: Buffer.from(JSON.stringify(recipes)) }
}

async function orderedPaths(source: PackSource): Promise<string[]> {
  const listed = source.listed ?? source.files
  const isRecipe = (path: string) => path.endsWith(suffix)
  const folders = new Set(listed.filter(isRecipe).map((path) => posix.dirname(path)))
  const folder = folders.has('.') ? '.' : [...folders].find((path) => posix.basename(path) === 'recipes')
  const chosen = folder ?? [...folders][0] ?? '.'
  const paths = listed.filter((path) => isRecipe(path) && posix.dirname(path) === chosen)
  const order = posix.join(chosen, orderFile)
  if (!source.files.includes(order)) return paths
  return orderBy(Buffer.from(await source.read(order)).toString('utf8'), paths)
}

/** @throws EspalierError `invalid_request` if the list does not name each file once */
function orderBy(text: string, paths: readonly string[]): string[] {
  const byName = new Map(paths.map((path) => [posix.basename(path), path]))
  const names = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && line !== orderFile)
  const missing = names.find((name) => !byName.has(name))
  if (missing === undefined && new Set(names).size === byName.size && names.length === byName.size) {
    return names.map((name) => byName.get(name) ?? '')
  }
  throw new EspalierError(
    'invalid_request',
    `${orderFile} has to name each of the ${byName.size} recipe files once, one a line${missing === undefined ? '' : `; there is no "${missing}"`}. Make it on the server: python3 -c "import os; print(*os.listdir('recipes'), sep='\\n')" > ${orderFile}.`,
  )
}

function parseJson(path: string, body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'))
  } catch (cause) {
    throw new EspalierError('invalid_request', `${path} is not JSON. Correct it or take it out.`, { cause })
  }
}

function isCrafting(recipe: unknown): boolean {
  const { type } = (recipe ?? {}) as { type?: unknown }
  return type === 'minecraft:crafting_shaped' || type === 'minecraft:crafting_shapeless'
}

export async function openRecipePack(pack: DataPack): Promise<RecipeBook> {
  const text = Buffer.from(await pack.read(recipesFile)).toString('utf8')
  return createRecipeBook(Object.fromEntries(JSON.parse(text) as PackedRecipes))
}
