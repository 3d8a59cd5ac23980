import { abilityWeights } from '../ability-weights.ts'
import type { EnvironmentDefinition } from '../environment-definition.ts'
import { pddlGenerators } from './generators/bounds.ts'
import { pddlPackFormat } from './pack-format.ts'
import { pddlOptions } from './pddl-options.ts'

export const pddlDefinition: EnvironmentDefinition = {
  id: 'pddl',
  data: { origin: 'generated', about: 'planning problems made for Espalier, not those of AgentBoard' },
  pack: pddlPackFormat,
  abilities: abilityWeights(2, 3, 1, 3, 3, 1),
  options: pddlOptions,
  generators: Object.values(pddlGenerators),
  simulated: async () => (await import('./simulated/pddl-policy.ts')).pddlPolicy,
  open: async (pack, options = {}) =>
    (await import('./open-pddl.ts')).openPddl(pack, pddlOptions.parse(options)),
}
