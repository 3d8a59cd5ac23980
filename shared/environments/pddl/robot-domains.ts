import { barman } from './domains/make-barman.ts'
import { blockworld } from './domains/make-blockworld.ts'
import { gripper } from './domains/make-gripper.ts'
import { tyreworld } from './domains/make-tyreworld.ts'
import type { Domain } from './engine/parse-domain.ts'
import { countPlaces } from './language.ts'
import type { RobotDomain } from './robot-domain.ts'

/** The four domains that come along, which are AgentBoard's. */
export const robotDomains: readonly RobotDomain[] = [barman, gripper, blockworld, tyreworld]

/** The one that a user's domain is, going by its actions; null for any other. */
export function robotDomainOf({ actions }: Domain): RobotDomain | null {
  const isOf = ({ language: { phrases } }: RobotDomain) =>
    Object.keys(phrases).length === actions.length &&
    actions.every(
      ({ name, parameters }) =>
        Object.hasOwn(phrases, name) && countPlaces(phrases[name] as string) === parameters.length,
    )
  return robotDomains.find(isOf) ?? null
}
