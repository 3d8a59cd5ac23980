import { calledName, type Expert, type ExpertFunction, type Outlook } from '../../simulated/expert.ts'
import { remembering } from '../../simulated/remembering.ts'
import { barmanFunctions, foldBarman } from './barman-functions.ts'
import { blockworldFunctions, foldBlockworld } from './blockworld-functions.ts'
import type { FoldedCall } from './folded-call.ts'
import { foldGripper, gripperFunctions } from './gripper-functions.ts'
import { applyAction } from './pddl-effects.ts'
import { type PddlScene, readScene } from './pddl-prompt.ts'
import { domainOf, planOf, type RobotDomainName } from './plan-pddl.ts'
import { foldTyreworld, tyreworldFunctions } from './tyreworld-functions.ts'

interface Craft {
  readonly functions: readonly ExpertFunction[]
  fold(plan: readonly string[]): FoldedCall | null
}

const crafts: Readonly<Record<RobotDomainName, Craft>> = {
  gripper: { functions: gripperFunctions, fold: foldGripper },
  tyreworld: { functions: tyreworldFunctions, fold: foldTyreworld },
  barman: { functions: barmanFunctions, fold: foldBarman },
  blockworld: { functions: blockworldFunctions, fold: foldBlockworld },
}
const noCraft: Craft = { functions: [], fold: () => null }

const longestPlan = 80
const perLine = 3
const plans = remembering<string[]>(2048)

export const pddlExpert: Expert = {
  name: 'pddl',
  look(messages) {
    const reading = readScene(messages)
    const last = messages.findLast(({ role }) => role !== 'assistant')?.content ?? ''
    return reading && outlookOf(reading.scene, /nothing happens|it changed nothing/.test(last))
  },
}

function outlookOf(scene: PddlScene, isRefused: boolean): Outlook {
  const plan = plans(planKey(scene), () => planAhead(scene))
  const isReached = scene.goal.every((part) => scene.facts.has(part))
  const domain = domainOf(scene)
  const { functions, fold } = domain === null ? noCraft : crafts[domain]
  return {
    goal: scene.goal.join(' and '),
    isReached,
    isSpoiled: false,
    isRefused,
    next: plan[0] ?? null,
    missing: isReached ? 0 : plan.length || longestPlan,
    functions,
    plan: () => plan,
    statements: () => foldPlan(plan, fold),
    program: () => stepByStep(scene, plan),
    call(known) {
      const found = fold(plan)
      return found !== null && known.has(calledName(found.call)) ? found.call : null
    },
  }
}

function planKey({ goal, facts }: PddlScene): string {
  return [...goal, '', ...facts].join('\n')
}

function planAhead(scene: PddlScene): string[] {
  const plan: string[] = []
  const next = planOf(scene)
  let facts = scene.facts
  while (plan.length < longestPlan && !scene.goal.every((part) => facts.has(part))) {
    const action = next({ ...scene, facts })
    const after = action === null ? null : applyAction(facts, action)
    if (action === null || after === null) break
    plan.push(action)
    facts = after
  }
  return plan
}

function foldPlan(plan: readonly string[], fold: Craft['fold']): string[] {
  const statements: string[] = []
  for (let at = 0; at < plan.length; ) {
    const found = fold(plan.slice(at))
    statements.push(found?.call ?? `act(${JSON.stringify(plan[at])})`)
    at += found?.steps ?? 1
  }
  return statements
}

function stepByStep({ goal }: PddlScene, plan: readonly string[]): string {
  const lines = Array.from({ length: Math.ceil(plan.length / perLine) }, (_none, line) => {
    const steps = plan.slice(line * perLine, (line + 1) * perLine)
    return `inTurn(${steps.map((step) => JSON.stringify(step)).join(', ')})`
  })
  return `// The goal: ${goal.join('; ')}.\nfunction inTurn(...steps) {\n  for (const step of steps) act(step)\n}\n\n${lines.join('\n')}`
}
