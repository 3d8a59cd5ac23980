import type { EnvironmentDefinition } from '../environment-definition.ts'
import { alfworldPackFormat } from './pack-format.ts'

/** Household tasks: the games of a pack, or generated ones. */
export const alfworldDefinition: EnvironmentDefinition = {
  id: 'alfworld',
  pack: alfworldPackFormat,
  open: async (pack) => (await import('./alfworld.ts')).openAlfworld(pack),
}
