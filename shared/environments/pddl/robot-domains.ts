import type { Domain } from '../planning/parse-domain.ts'
import { barman } from './domains/make-barman.ts'
import { blockworld } from './domains/make-blockworld.ts'
import { gripper } from './domains/make-gripper.ts'
import { tyreworld } from './domains/make-tyreworld.ts'
import { countPlaceholders } from './language.ts'
import type { RobotDomain } from './robot-domain.ts'

export const robotDomains: readonly RobotDomain[] = [barman, gripper, blockworld, tyreworld]

export function robotDomainOf({ actions }: Domain): RobotDomain | null {
  const isOf = ({ language: { phrases } }: RobotDomain) =>
    Object.keys(phrases).length === actions.length &&
    actions.every(
      ({ name, parameters }) =>
        Object.hasOwn(phrases, name) && countPlaceholders(phrases[name] as string) === parameters.length,
    )
  return robotDomains.find(isOf) ?? null
}
