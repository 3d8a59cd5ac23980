import type { PagePlayer } from './page-situation.ts'
import { changePlans } from './site-changes.ts'
import { picturePlans } from './site-pictures.ts'
import { questionPlans, type SitePlan } from './site-questions.ts'
import { viewNow } from './site-view.ts'

const plans: readonly SitePlan[] = [...picturePlans, ...questionPlans, ...changePlans]

/** How tasks of WebArena word their objective: with the address of the page below it. */
const objective = /(?:^|\n)Objective: ([^\n]*)\nURL: /

/**
 * Knows the sites to practise on by the wording of their objectives: looks up, compares, fills in forms, and gives up what is not
 * there. What it answers it has from the pages that it was shown.
 */
export const sitesPlayer: PagePlayer = {
  name: 'sites',
  objectiveOf: (observation) => objective.exec(observation)?.[1]?.trim() ?? null,
  plan(situation) {
    const view = viewNow(situation)
    for (const [wording, plan] of plans) {
      const parts = wording.exec(situation.objective)
      if (parts !== null) return plan(view, ...parts.slice(1))
    }
    return null
  },
}
