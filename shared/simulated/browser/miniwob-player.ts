import { clickPlans, type ObjectivePlan } from './miniwob-clicks.ts'
import { fieldPlans } from './miniwob-fields.ts'
import { searchPlans } from './miniwob-searches.ts'
import type { PagePlayer } from './page-situation.ts'

const plans: readonly ObjectivePlan[] = [...fieldPlans, ...searchPlans, ...clickPlans]

/** How MiniWoB++ words its objective, with or without a note on the last action before it. */
const objective = /(?:^|\n\n)Objective: ([^\n]*(?:\n(?!\n)[^\n]*)*)\n\n/

/** Knows pages of MiniWoB++ by the wording of their objectives: those that can be done by clicks and keys, and by what the objective says in words. */
export const miniwobPlayer: PagePlayer = {
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
