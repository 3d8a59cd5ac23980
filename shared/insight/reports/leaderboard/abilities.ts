import { type AbilityScores, type AbilityWeights, abilitySchema } from '../../../core/contracts/ability.ts'
import type { Leaderboard } from '../../../core/contracts/leaderboard.ts'
import { isRanked } from '../../../core/contracts/ranked-cells.ts'

/** AgentBoard's environments: its own radar is of agents that played all of them. */
const ofAgentboard = 9

export type AbilityWeightsOf = (
  environment: string,
  data: string | undefined,
) => Promise<AbilityWeights | null>

/**
 * The abilities of each entry, from 0 to 100: the mean of its success rates over AgentBoard's environments, weighted by
 * ability. Undefined if none was played.
 */
export function describeAbilities(
  { cells, entries, environments }: Pick<Leaderboard, 'cells' | 'entries' | 'environments'>,
  weightsOf: ReadonlyMap<string, AbilityWeights>,
): Leaderboard['abilities'] {
  const columns = environments.flatMap(({ environment, id }) => {
    const weights = weightsOf.get(environment)
    return weights === undefined ? [] : [{ environment, id, weights }]
  })
  if (columns.length === 0) return undefined
  const played = [...new Set(columns.map(({ environment }) => environment))]
  const scoresOf = (entry: string): AbilityScores | null => {
    const rates = columns.map(({ id }) => {
      const cell = cells.find((each) => each.entry === entry && each.environment === id)
      return cell !== undefined && isRanked(cell) ? cell.success_rate.mean : null
    })
    if (rates.includes(null)) return null
    const scores = abilitySchema.options.map((ability) => {
      const sum = columns.reduce((sum, { weights }, at) => sum + weights[ability] * (rates[at] ?? 0), 0)
      return [ability, (100 * sum) / columns.reduce((total, { weights }) => total + weights[ability], 0)]
    })
    return Object.fromEntries(scores) as AbilityScores
  }
  return {
    environments: played,
    missing: ofAgentboard - played.length,
    scores: entries.map(({ id }) => ({ entry: id, abilities: scoresOf(id) })),
  }
}
