import { type AbilityWeights, abilitySchema } from '../core/contracts/ability.ts'

/**
 * How much an environment asks of memory, planning, world modeling, self-reflection, grounding and spatial navigation,
 * from 1 to 3.
 *
 * @see AgentBoard, agentboard/utils/logging/logger.py, dimension_scoring
 */
export function abilityWeights(
  ...weights: readonly [number, number, number, number, number, number]
): AbilityWeights {
  return Object.fromEntries(
    abilitySchema.options.map((ability, at) => [ability, weights[at]]),
  ) as AbilityWeights
}
