import { pureImage } from '../functions/wiring/sessions-of.ts'
import { type ListedModules, moduleVariables } from '../shared/environments/added/list-modules.ts'
import type { Hosts } from '../shared/world/ports.ts'

/** The same hosts, of which those that serve pure environments serve the ones of these modules too. */
export function serveModules(hosts: Hosts, modules: ListedModules): Hosts {
  if (modules.files.length === 0) return hosts
  const served = moduleVariables(modules)
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
