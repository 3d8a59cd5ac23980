import { alfworldDefinition } from './alfworld/definition.ts'
import { alfworldTextworldDefinition } from './alfworld-textworld/alfworld-textworld.ts'
import { desktopDefinition } from './desktop/definition.ts'
import type { EnvironmentDefinition } from './environment-definition.ts'
import { miniwobDefinition } from './miniwob/definition.ts'
import { osworldDefinition } from './osworld/definition.ts'
import { pddlDefinition } from './pddl/definition.ts'
import { scienceworldDefinitions } from './scienceworld/scienceworld.ts'
import { sitesDefinition } from './sites/definition.ts'
import { textcraftDefinition } from './textcraft/definition.ts'
import { webshopDefinition } from './webshop/definition.ts'

export const definitions: readonly EnvironmentDefinition[] = [
  textcraftDefinition,
  pddlDefinition,
  alfworldDefinition,
  webshopDefinition,
  ...scienceworldDefinitions,
  alfworldTextworldDefinition,
  miniwobDefinition,
  sitesDefinition,
  desktopDefinition,
  osworldDefinition,
]

export const inProcess = definitions.filter(({ image }) => image === undefined).map(({ id }) => id)
