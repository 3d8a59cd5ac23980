import type { EnvironmentDefinition } from '../environment-definition.ts'
import { alfworldPackFormat } from './pack-format.ts'

/** Household tasks: the games of a pack, or generated ones. */
export const alfworldDefinition: EnvironmentDefinition = {
  id: 'alfworld',
  data: { origin: 'generated', about: 'households made for Espalier, not the games of ALFWorld' },
  pack: alfworldPackFormat,
  open: async (pack) => (await import('./alfworld.ts')).openAlfworld(pack),
}
