import type { PackFormat } from '../data-pack.ts'
import type { EnvironmentDefinition } from '../environment-definition.ts'

/** The one file of a pack. */
export const recipesFile = 'recipes.json'

/** What the folder has to hold that a pack is made from. */
export const recipeFolder =
  'the folder of recipes of an AgentGym server, one .json file each, as it lies on the disk of the server; or with an order.txt that names the files in its order'

/** Packs of recipes, with the goals, the splits and the numbers of the server that loads them. */
const textcraftPackFormat: PackFormat = {
  description: recipeFolder,
  data: { origin: 'original', about: 'recipes of an AgentGym server, with its goals and numbers' },
  downloads: [],
  async *collect(source) {
    yield* (await import('./recipe-pack.ts')).collectRecipes(source)
  },
  filesOf: () => [recipesFile],
}

/** TextCraft: the recipes that come along, or those of a pack. */
export const textcraftDefinition: EnvironmentDefinition = {
  id: 'textcraft',
  data: {
    origin: 'generated',
    about: 'goals, splits and distractors made for Espalier over the recipes of Minecraft 1.16.2',
  },
  pack: textcraftPackFormat,
  async open(pack) {
    const { createTextcraft, textcraft } = await import('./textcraft.ts')
    if (pack === null) return textcraft
    const [{ openRecipePack }, { createServerTasks }] = await Promise.all([
      import('./recipe-pack.ts'),
      import('./tasks.ts'),
    ])
    return createTextcraft(await openRecipePack(pack), createServerTasks)
  },
}
