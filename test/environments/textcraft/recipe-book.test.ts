import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadRecipeFolder } from '../../../shared/environments/textcraft/load-recipe-folder.ts'
import { recipeLine } from '../../../shared/environments/textcraft/recipe.ts'
import { createRecipeBook } from '../../../shared/environments/textcraft/recipe-book.ts'
import { smallBook, smallRecipes } from './small-game.ts'

const linesOf = (name: string, book = smallBook) => book.recipesOf(name).map(recipeLine)

describe('loading recipes', () => {
  test('counts the symbols of a pattern, and takes the first alternative', () => {
    expect(linesOf('minecraft:torch')).toEqual(['craft 4 torch using 1 stick, 1 coal'])
  })

  test('merges equal names of a shapeless recipe in the place of the first', () => {
    const book = createRecipeBook({
      dye: {
        type: 'minecraft:crafting_shapeless',
        ingredients: [{ item: 'minecraft:a' }, { item: 'minecraft:b' }, { item: 'minecraft:a' }],
        result: 'minecraft:dye',
      },
    })
    expect(linesOf('minecraft:dye', book)).toEqual(['craft 1 dye using 2 a, 1 b'])
  })

  test('drops recipes whose one ingredient is a block, and knows their items', () => {
    expect(linesOf('minecraft:iron_ingot')).toEqual(['craft 1 iron ingot using 9 iron nugget'])
    expect(smallBook.isItem('minecraft:iron_block')).toBe(true)
  })

  test('keeps the first of two recipes that make each other', () => {
    expect(smallBook.isCraftable('minecraft:iron_nugget')).toBe(false)
    const { iron_nugget, iron_ingot_from_nuggets } = smallRecipes
    const other = createRecipeBook({ iron_nugget, iron_ingot_from_nuggets })
    expect(other.craftable).toEqual(['minecraft:iron_nugget'])
  })

  test('gives items the tag of their group, and the tag their recipes', () => {
    expect(smallBook.tagOf('minecraft:oak_planks')).toBe('minecraft:planks')
    expect(linesOf('minecraft:planks')).toEqual([
      'craft 4 birch planks using 1 birch logs',
      'craft 4 oak planks using 1 oak logs',
    ])
  })

  test('turns a tag that nothing craftable carries into an item', () => {
    expect(smallBook.isTag('minecraft:oak_logs')).toBe(false)
    expect(smallBook.isItem('minecraft:oak_logs')).toBe(true)
    expect(smallBook.isTag('minecraft:planks')).toBe(true)
  })

  test('leaves out what is not crafting', () => {
    expect(smallBook.isItem('minecraft:iron_ore')).toBe(false)
  })

  test('measures depth by the shallowest recipe', () => {
    const depths = ['oak_logs', 'oak_planks', 'planks', 'stick', 'torch'].map((name) =>
      smallBook.depthOf(`minecraft:${name}`),
    )
    expect(depths).toEqual([0, 1, 1, 2, 3])
  })

  test('names the recipe that is none, and what is wrong with it', () => {
    expect(() => createRecipeBook({ broken: { type: 'minecraft:crafting_shaped', pattern: ['#'] } })).toThrow(
      expect.objectContaining({ code: 'invalid_request', message: expect.stringMatching(/"broken".*key/) }),
    )
    expect(() => createRecipeBook({ broken: 7 })).toThrow(/"broken" is not a Minecraft crafting recipe/)
  })
})

describe('loading a folder', () => {
  const withFolder = async (files: Record<string, string>, check: (folder: string) => Promise<void>) => {
    const folder = await mkdtemp(join(tmpdir(), 'espalier-recipes-'))
    try {
      for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
      await check(folder)
    } finally {
      await rm(folder, { recursive: true })
    }
  }

  test('reads its JSON files in the order of their names', async () => {
    const entries = Object.entries(smallRecipes).reverse()
    const files = Object.fromEntries(
      entries.map(([name, recipe]) => [`${name}.json`, JSON.stringify(recipe)]),
    )
    await withFolder({ ...files, 'readme.txt': 'no recipe' }, async (folder) => {
      expect((await loadRecipeFolder(folder)).craftable).toEqual(smallBook.craftable)
    })
  })

  test('names a file that is not JSON', async () => {
    await withFolder({ 'torn.json': '{"type":' }, async (folder) => {
      await expect(loadRecipeFolder(folder)).rejects.toThrow(/torn\.json is not JSON/)
    })
  })
})
