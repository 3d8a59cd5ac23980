import { pureImage } from '../functions/wiring/sessions-of.ts'
import type { Hosts } from '../shared/world/ports.ts'

/** The same hosts, of which those that serve pure environments serve the ones of these modules too. */
export function serveModules(hosts: Hosts, modules: readonly string[]): Hosts {
  if (modules.length === 0) return hosts
  const served = { ESPALIER_HOST_ENVIRONMENTS: modules.join(',') }
  return {
    launch: (request) =>
      hosts.launch(
        request.image === pureImage
          ? { ...request, environment: { ...request.environment, ...served } }
          : request,
      ),
    describe: (ids) => hosts.describe(ids),
    list: () => hosts.list(),
    stop: (id, options) => hosts.stop(id, options),
  }
}
