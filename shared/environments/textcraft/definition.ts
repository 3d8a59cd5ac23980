import { z } from 'zod'
import type { PackFormat } from '../data-pack.ts'
import type { EnvironmentDefinition } from '../environment-definition.ts'
import type { GeneratorDefinition } from '../generate/task-generator.ts'
import { itemNumbers } from '../item-numbers.ts'

export const recipesFile = 'recipes.json'

export const recipeFolder =
  'the folder of recipes of an AgentGym server, one .json file each, as it lies on the disk of the server; or with an order.txt that names the files in its order'

const textcraftPackFormat: PackFormat = {
  description: recipeFolder,
  data: { origin: 'original', about: 'recipes of an AgentGym server, with its goals and numbers' },
  downloads: [],
  async *collect(source) {
    yield* (await import('./recipe-pack.ts')).collectRecipes(source)
  },
  filesOf: () => [recipesFile],
}

const depth = z.int().min(1).max(8)

export const craftingBounds = z
  .strictObject({
    min_depth: depth.default(1).describe('Minimum number of crafts on the longest way to the item.'),
    max_depth: depth.default(4).describe('Maximum number of crafts on the longest way to the item.'),
    distractors: z
      .int()
      .min(0)
      .max(100)
      .default(10)
      .describe('Number of shown commands that the goal does not need, or all of them if there are fewer.'),
  })
  .refine(({ max_depth, min_depth }) => min_depth <= max_depth, {
    path: ['min_depth'],
    message: 'must be at most max_depth',
  })

export const textcraftGenerator = {
  id: 'crafting',
  version: 1,
  description: 'The goals of the recipes, each with any choice of distractors.',
  bounds: craftingBounds,
} as const satisfies GeneratorDefinition

export const textcraftDefinition: EnvironmentDefinition = {
  id: 'textcraft',
  data: {
    origin: 'generated',
    about: 'goals, splits and distractors made for Espalier over the recipes of Minecraft 1.16.2',
  },
  taskFile: {
    entries: 'numbers of goals, or items such as {"item_id": "textcraft_140"}',
    async read(entries) {
      const numbers = itemNumbers(entries, 'textcraft')
      return numbers?.map((number) => `textcraft_${number}`) ?? null
    },
  },
  // AgentGym's numbers are those of a pack of its server's recipes.
  outside: { taskNamed: (id) => (/^\d+$/.test(id) ? `textcraft_${Number(id)}` : id) },
  pack: textcraftPackFormat,
  generators: [textcraftGenerator],
  simulated: async () => (await import('./simulated/textcraft-policy.ts')).textcraftPolicy,
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
