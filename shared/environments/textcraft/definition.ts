import type { EnvironmentDefinition } from '../environment-definition.ts'

export const textcraftDefinition: EnvironmentDefinition = {
  id: 'textcraft',
  open: async () => (await import('./textcraft.ts')).textcraft,
}
