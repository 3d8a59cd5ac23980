import type { EnvironmentDefinition } from '../environment-definition.ts'
import { alfworldOptions } from './alfworld-options.ts'
import { alfworldPackFormat } from './pack-format.ts'

/** Household tasks: the games of a pack, or generated ones. */
export const alfworldDefinition: EnvironmentDefinition = {
  id: 'alfworld',
  data: { origin: 'generated', about: 'households made for Espalier, not the games of ALFWorld' },
  pack: alfworldPackFormat,
  options: alfworldOptions,
  open: async (pack, options = {}) =>
    (await import('./alfworld.ts')).openAlfworld(pack, alfworldOptions.parse(options)),
}
