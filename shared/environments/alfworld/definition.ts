import { z } from 'zod'
import { abilityWeights } from '../ability-weights.ts'
import type { EnvironmentDefinition } from '../environment-definition.ts'
import type { GeneratorDefinition } from '../generate/task-generator.ts'
import { alfworldOptions } from './alfworld-options.ts'
import { alfworldPackFormat } from './pack-format.ts'

export const householdTypes = [
  'pick_and_place_simple',
  'look_at_obj_in_light',
  'pick_clean_then_place_in_recep',
  'pick_heat_then_place_in_recep',
  'pick_cool_then_place_in_recep',
  'pick_two_obj_and_place',
] as const

export const householdBounds = z.strictObject({
  types: z
    .array(z.enum(householdTypes))
    .min(1)
    .default([...householdTypes])
    .describe('Only games of these types.'),
  things: z
    .int()
    .min(0)
    .max(20)
    .default(12)
    .describe(
      'Number of things in the room that the task does not concern; a third as many more appear twice.',
    ),
})

export const householdGenerator = {
  id: 'household',
  version: 1,
  description: 'Rooms with furniture and things, and a goal in them; goals of one split are in no other.',
  bounds: householdBounds,
} as const satisfies GeneratorDefinition

export const alfworldDefinition: EnvironmentDefinition = {
  id: 'alfworld',
  data: { origin: 'generated', about: 'households made for Espalier, not the games of ALFWorld' },
  pack: alfworldPackFormat,
  abilities: abilityWeights(1, 1, 3, 3, 2, 2),
  options: alfworldOptions,
  outside: {
    isFamily: true,
    etoHead: 12,
    // Games are named by their folder.
    taskNamed: (id) => /(?:^|\/)([^/]+\/[^/]+\/[^/]+)(?:\/game\.tw-pddl)?\/?$/.exec(id)?.[1] ?? id,
  },
  generators: [householdGenerator],
  simulated: async () => (await import('./simulated/alfworld-policy.ts')).alfworldPolicy,
  open: async (pack, options = {}) =>
    (await import('./alfworld.ts')).openAlfworld(pack, alfworldOptions.parse(options)),
}
