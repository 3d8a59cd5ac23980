import { pagePolicy } from '../../browser/simulated/page-policy.ts'
import type { PagePlayer } from '../../browser/simulated/page-situation.ts'
import { changePlans } from './site-changes.ts'
import { picturePlans } from './site-pictures.ts'
import { questionPlans, type SitePlan } from './site-questions.ts'
import { viewNow } from './site-view.ts'

const plans: readonly SitePlan[] = [...picturePlans, ...questionPlans, ...changePlans]

const objective = /(?:^|\n)Objective: ([^\n]*)\nURL: /

const sitesPlayer: PagePlayer = {
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

export const sitesPolicy = pagePolicy(sitesPlayer)
