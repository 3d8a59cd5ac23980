import { servePure } from '../../../containers/env-host/serve-pure.ts'
import { ServedEnvironments } from '../../../containers/env-host/served-environments.ts'
import { SessionTable } from '../../../containers/env-host/session-table.ts'
import type { EnvironmentDefinition } from '../../../shared/environments/environment-definition.ts'
import { textcraft } from '../../../shared/environments/textcraft/textcraft.ts'

const textcraftOnly: EnvironmentDefinition[] = [{ id: 'textcraft', open: async () => textcraft }]

/**
 * What a host serves, of pure environments.
 *
 * @param isSpent whether none of them may be opened any more
 */
export async function serveAll(
  definitions: readonly EnvironmentDefinition[] = textcraftOnly,
  isSpent = (): boolean => false,
): Promise<ServedEnvironments> {
  const served = await Promise.all(definitions.map(servePure))
  const pure = served.filter((environment) => environment !== null)
  return new ServedEnvironments(pure.map((environment) => Object.assign(environment, { isSpent })))
}

/** A table whose clock the test moves. */
export async function openTable({
  slots = 10,
  sessionIdle = 60,
  definitions = textcraftOnly,
  isSpent = (): boolean => false,
  leavesSpent = true,
} = {}) {
  const clock = { now: 0 }
  const environments = await serveAll(definitions, isSpent)
  return {
    clock,
    table: new SessionTable({ environments, slots, sessionIdle, leavesSpent, now: () => clock.now }),
  }
}
