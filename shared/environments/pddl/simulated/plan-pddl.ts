import { planBarman } from './pddl-barman.ts'
import { planBlockworld } from './pddl-blockworld.ts'
import { planGripper } from './pddl-gripper.ts'
import type { PddlScene } from './pddl-prompt.ts'
import { planTyreworld } from './pddl-tyreworld.ts'

const plans = {
  gripper: planGripper,
  tyreworld: planTyreworld,
  barman: planBarman,
  blockworld: planBlockworld,
} as const

export type RobotDomainName = keyof typeof plans

export function domainOf({ objects, facts }: PddlScene): RobotDomainName | null {
  if (objects.has('gripper') && objects.has('room')) return 'gripper'
  if (objects.has('hub')) return 'tyreworld'
  if (objects.has('shaker')) return 'barman'
  const hasArm = facts.has('the arm is empty') || [...facts].some((fact) => fact.startsWith('the arm holds '))
  return hasArm ? 'blockworld' : null
}

export function planOf(scene: PddlScene): (scene: PddlScene) => string | null {
  const domain = domainOf(scene)
  return domain === null ? () => null : plans[domain]
}
