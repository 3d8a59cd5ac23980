import type { Hono } from 'hono'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import { createAgentgymFacade } from './agentgym/agentgym-facade.ts'
import { agentgymServerNames } from './agentgym/agentgym-servers.ts'
import type { FacadeSessions } from './facade-sessions.ts'
import type { HostLog } from './host-log.ts'
import { createMcpFacade } from './mcp/mcp-facade.ts'
import { createOpenenvFacade } from './openenv/openenv-facade.ts'

export interface FacadeRoots {
  agentgym: string | null
  /** The environment whose OpenEnv server is also at `/`. There, `/health` stays the host's own. */
  openenv: string | null
}

/**
 * Adds the field's protocols to a host: `/agentgym/{environment}/…`, `/openenv/{environment}/…` and
 * `/mcp/{environment}`.
 * @throws EspalierError `unknown_environment` when a root names a missing one; `invalid_request` when two are named
 */
export function mountFacades(app: Hono, sessions: FacadeSessions, roots: FacadeRoots, log: HostLog): void {
  if (roots.agentgym !== null && roots.openenv !== null) {
    const message = 'ESPALIER_HOST_AGENTGYM and ESPALIER_HOST_OPENENV both want the root. Set one of them.'
    throw new EspalierError('invalid_request', message)
  }
  for (const environment of sessions.environments) {
    app.route(`/mcp/${environment}`, createMcpFacade(environment, sessions, log))
  }
  const facades = {
    agentgym: { create: createAgentgymFacade, environments: agentgymServerNames(sessions.environments) },
    openenv: { create: createOpenenvFacade, environments: sessions.environments },
  }
  for (const protocol of ['agentgym', 'openenv'] as const) {
    const { create, environments } = facades[protocol]
    for (const environment of environments) {
      const facade = create(environment, sessions, log)
      app.route(`/${protocol}/${environment}`, facade)
      // Clients whose base address ends with a slash request this first.
      if (protocol === 'agentgym') app.route(`/${protocol}/${environment}/`, facade)
      if (environment === roots[protocol]) app.route('/', facade)
    }
    const root = roots[protocol]
    if (root === null || environments.includes(root)) continue
    throw new EspalierError(
      'unknown_environment',
      `ESPALIER_HOST_${protocol.toUpperCase()} names "${root}", which this host does not serve so. Choose one of: ${environments.join(', ')}.`,
    )
  }
}
