import { z } from 'zod'

export const abilitySchema = z.enum([
  'memory',
  'planning',
  'world_modeling',
  'self_reflection',
  'grounding',
  'spatial_navigation',
])

type Ability = z.infer<typeof abilitySchema>

export type AbilityWeights = Readonly<Record<Ability, number>>

export type AbilityScores = Record<Ability, number>
