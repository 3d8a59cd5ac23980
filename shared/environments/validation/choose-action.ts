import type { Random } from '../../random/random.ts'
import { choose } from '../../random/shuffled.ts'
import type { EnvironmentGuide } from '../environment.ts'

/** Words that most text games know. */
const common = ['look', 'inventory', 'look around', 'help', 'north', 'search[red]', 'click[back to search]']

/** Of the actions to choose from, the share that is listed as valid, where some are. */
const validShare = 0.7

/**
 * An action for a walk through a game: as a rule one that is listed as valid; else one of the guide's example, a line of
 * what is shown (which in many games is a command), or a common word.
 */
export function chooseAction(
  seen: { valid: readonly string[]; guide: EnvironmentGuide; observation: string },
  random: Random,
): string {
  const { valid, guide, observation } = seen
  if (valid.length > 0 && random() < validShare) return choose(valid, random) ?? ''
  const examples = guide.example?.turns.map(({ action }) => action) ?? []
  const lines = observation.split('\n').filter((line) => line.trim() !== '' && line.length <= 200)
  const sources = [examples, lines, common].filter((source) => source.length > 0)
  return choose(choose(sources, random) ?? common, random) ?? ''
}
