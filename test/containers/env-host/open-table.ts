import { servePure } from '../../../containers/env-host/serve-pure.ts'
import { ServedEnvironments } from '../../../containers/env-host/served-environments.ts'
import { SessionTable } from '../../../containers/env-host/session-table.ts'
import type { EnvironmentDefinition } from '../../../shared/environments/environment-definition.ts'
import { textcraft } from '../../../shared/environments/textcraft/textcraft.ts'

const textcraftOnly: EnvironmentDefinition[] = [{ id: 'textcraft', open: async () => textcraft }]

/** What a host serves, of pure environments. */
export async function serveAll(
  definitions: readonly EnvironmentDefinition[] = textcraftOnly,
): Promise<ServedEnvironments> {
  const served = await Promise.all(definitions.map(servePure))
  return new ServedEnvironments(served.filter((environment) => environment !== null))
}

/** A table whose clock the test moves. */
export async function openTable({ slots = 10, sessionIdle = 60, definitions = textcraftOnly } = {}) {
  const clock = { now: 0 }
  const environments = await serveAll(definitions)
  return { clock, table: new SessionTable({ environments, slots, sessionIdle, now: () => clock.now }) }
}
