import { z } from 'zod'
import { abilityWeights } from '../ability-weights.ts'
import type { EnvironmentDefinition, TaskFile } from '../environment-definition.ts'
import type { GeneratorDefinition } from '../generate/task-generator.ts'
import { itemNumbers } from '../item-numbers.ts'
import { webshopPackFormat } from './pack-format.ts'

export const catalogueBounds = z.strictObject({
  products: z
    .int()
    .min(40)
    .max(10_000)
    .default(1000)
    .describe(
      'Number of products in the catalogue of a seed, each with a goal. Of ten goals, about seven are in train, one in dev, two in test.',
    ),
})

export const catalogueGenerator = {
  id: 'catalogue',
  version: 1,
  description: 'A shop for each seed, with other products and goals; goals worded alike are in one split.',
  bounds: catalogueBounds,
} as const satisfies GeneratorDefinition

// The lists of ETO, AgentGym and Agent-R.
const goalNumbers: TaskFile = {
  entries: 'numbers of goals, or items such as {"item_id": "webshop_5238"}',
  read: async (entries) => itemNumbers(entries, 'webshop')?.map((number) => `webshop-${number}`) ?? null,
}

export const webshopDefinition: EnvironmentDefinition = {
  id: 'webshop',
  data: { origin: 'generated', about: 'a shop of 1,000 products made for Espalier, not that of WebShop' },
  pack: webshopPackFormat,
  abilities: abilityWeights(1, 2, 1, 2, 3, 1),
  generators: [catalogueGenerator],
  taskFile: goalNumbers,
  outside: { etoHead: 10, taskNamed: (id) => (/^\d+$/.test(id) ? `webshop-${Number(id)}` : id) },
  simulated: async () => (await import('./simulated/webshop-policy.ts')).webshopPolicy,
  open: async (pack) => (await import('./webshop.ts')).openWebshop(pack),
}
