import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EspalierError } from '../../core/contracts/errors.ts'
import { createRecipeBook, type RecipeBook } from './recipe-book.ts'

const suffix = '.json'

/**
 * Loads the recipes of a Minecraft data pack, one JSON file each, in the order of their names. (The reference takes
 * the file system's order. It differs between machines, and decides which of two reversible recipes is kept.)
 * @example
 * const game = createTextcraft(await loadRecipeFolder('datapack/data/minecraft/recipes'))
 * @throws EspalierError `invalid_request` for a file that is no recipe.
 */
export async function loadRecipeFolder(folder: string): Promise<RecipeBook> {
  const files = await readdir(folder)
  const names = files.filter((file) => file.endsWith(suffix)).map((file) => file.slice(0, -suffix.length))
  const recipes = names
    .sort((one, other) => (one < other ? -1 : 1))
    .map(async (name) => [name, await readRecipe(join(folder, name + suffix))] as const)
  return createRecipeBook(Object.fromEntries(await Promise.all(recipes)))
}

async function readRecipe(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8')
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new EspalierError(
      'invalid_request',
      `${file} is not JSON. Correct it or take it out of the folder.`,
      {
        cause,
      },
    )
  }
}
