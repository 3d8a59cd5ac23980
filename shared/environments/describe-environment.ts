import type { EnvironmentInfo } from '../contracts/catalogue.ts'
import { describeFacts } from './describe-facts.ts'
import { isPure } from './environment.ts'
import type { OpenEnvironment } from './open-environments.ts'

/** An environment as the catalogue shows it. */
export function describeEnvironment({ environment, pack }: OpenEnvironment): EnvironmentInfo {
  const hosting = isPure(environment) ? 'worker' : 'host'
  return { ...describeFacts(environment), hosting, data: pack?.digest ?? null }
}
