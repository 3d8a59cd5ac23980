import type { EnvironmentDefinition } from '../environment-definition.ts'

export const textcraftDefinition: EnvironmentDefinition = {
  id: 'textcraft',
  data: {
    origin: 'generated',
    about: 'goals, splits and distractors made for Espalier over the recipes of Minecraft 1.16.2',
  },
  open: async () => (await import('./textcraft.ts')).textcraft,
}
