import type { EnvironmentInfo } from '../contracts/catalogue.ts'
import { describeFacts } from './describe-facts.ts'
import { isPure } from './environment.ts'
import { describeEnvironmentOptions } from './environment-options.ts'
import type { OpenEnvironment } from './open-environments.ts'

/** An environment as the catalogue shows it. */
export function describeEnvironment({ environment, pack, definition }: OpenEnvironment): EnvironmentInfo {
  const hosting = isPure(environment) ? 'worker' : 'host'
  const options = describeEnvironmentOptions(definition)
  return { ...describeFacts(environment), hosting, data: pack?.digest ?? null, options }
}
