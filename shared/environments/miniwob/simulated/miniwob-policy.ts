import { pagePolicy } from '../../browser/simulated/page-policy.ts'
import type { PagePlayer } from '../../browser/simulated/page-situation.ts'
import { clickPlans, type ObjectivePlan } from './miniwob-clicks.ts'
import { fieldPlans } from './miniwob-fields.ts'
import { searchPlans } from './miniwob-searches.ts'

const plans: readonly ObjectivePlan[] = [...fieldPlans, ...searchPlans, ...clickPlans]

/**
 * MiniWoB++'s wording of an objective, with or without a preceding note on the last action. A line with an address
 * after it belongs to the pages of WebArena's kind.
 */
const objective = /(?:^|\n\n)Objective: (?![^\n]*\nURL: )([^\n]*(?:\n(?!\n)[^\n]*)*)\n\n/

const miniwobPlayer: PagePlayer = {
  name: 'miniwob',
  objectiveOf: (observation) => objective.exec(observation)?.[1]?.trim() ?? null,
  plan(situation) {
    for (const [wording, plan] of plans) {
      const parts = wording.exec(situation.objective)
      const planned = parts === null ? null : plan(situation, ...parts.slice(1))
      if (planned !== null) return planned
    }
    return null
  },
}

export const miniwobPolicy = pagePolicy(miniwobPlayer)
