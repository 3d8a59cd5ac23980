import type { EnvironmentInfo } from '../contracts/catalogue.ts'
import { describeFacts } from './describe-facts.ts'
import { isHosted } from './environment.ts'
import { describeEnvironmentOptions } from './environment-options.ts'
import type { OpenEnvironment } from './open-environments.ts'

/** An environment as the catalogue shows it. */
export function describeEnvironment({ environment, pack, definition }: OpenEnvironment): EnvironmentInfo {
  const hosting = isHosted(environment) ? 'host' : 'worker'
  const options = describeEnvironmentOptions(definition)
  return { ...describeFacts(environment), hosting, data: pack?.digest ?? null, options }
}
