import type { HostCaller } from '../../shared/core/contracts/host-call.ts'
import {
  openPictureStore,
  type PictureStore,
  unkeptPictures,
} from '../../shared/core/pictures/picture-store.ts'
import type { World } from '../../shared/core/world/ports.ts'
import type { AgentgymServer } from '../../shared/environments/agentgym/agentgym-kinds.ts'
import type { ResetTurns } from '../../shared/environments/agentgym/reset-turns.ts'
import { type Environment, type HostedEnvironment, isHosted } from '../../shared/environments/environment.ts'
import { addressSessions } from '../../shared/environments/hosts/address-sessions.ts'
import type { CallScaler } from '../../shared/environments/hosts/fleet-call.ts'
import { type HostSessionsOptions, hostSessions } from '../../shared/environments/hosts/host-sessions.ts'
import { leasedMachines } from '../../shared/environments/hosts/leased-machines.ts'
import { leasedResetTurns } from '../../shared/environments/hosts/leased-reset-turns.ts'
import { leasedSites } from '../../shared/environments/hosts/leased-sites.ts'
import type { OpenEnvironment } from '../../shared/environments/open-environments.ts'
import type { SessionSource } from '../../shared/environments/session-source.ts'

export const pureImage = 'env-host'

/**
 * Opens sessions of environments that run outside the worker: on hosts of an image, on an AgentGym server, or on a
 * server of the host protocol. One source serves all episodes, so that its limits apply to all.
 */
export function sessionsOf(needs: {
  world: World
  hosts: HostCaller
  callScaler?: CallScaler
}): (opened: OpenEnvironment) => SessionSource {
  const sources = new WeakMap<Environment, SessionSource>()
  return (opened) => {
    const known = sources.get(opened.environment)
    if (known) return known
    const source = openSource(opened, needs)
    sources.set(opened.environment, source)
    return source
  }
}

function openSource(
  { environment, pack, definition }: OpenEnvironment,
  { world, hosts, callScaler }: { world: World; hosts: HostCaller; callScaler?: CallScaler },
): SessionSource {
  const keepsStates = isHosted(environment) && environment.keeps_states === true
  const withSnapshots = environment.snapshot === 'native' || keepsStates
  const host: HostedEnvironment['host'] = isHosted(environment)
    ? environment.host
    : { kind: 'image', image: pureImage }
  if (host.kind !== 'image') {
    const shared = { turns: leasedResetTurns(world), pictures: openPictureStore(world.objects) }
    return serverSessions(environment.id, host, withSnapshots, shared)
  }
  const { image, environment: id = environment.id, answers_within: seconds, slow_start: slowStart } = host
  const files = hostFilesOf({ pack, definition }, host)
  const limits = { ...(seconds !== undefined && { within: seconds * 1000 }), ...(slowStart && { slowStart }) }
  const calls = { caller: hosts, ...(callScaler && { callScaler }) }
  const answered = { environment: id, withSnapshots, keepsStates }
  const source = hostSessions({ world, ...calls, image, ...answered, ...files, ...limits })
  const { machines } = host
  const placed = machines === undefined ? source : leasedMachines(world, source, () => machines.call(host))
  return host.alone === undefined ? placed : leasedSites(world, placed, (task) => host.alone?.(task) ?? [])
}

export function hostFilesOf(
  opened: Pick<OpenEnvironment, 'pack' | 'definition'>,
  host: Extract<HostedEnvironment['host'], { kind: 'image' }>,
): Pick<HostSessionsOptions, 'files'> {
  const pack = packFilesOf(opened)
  if (host.files === undefined) return pack
  return { files: async (task) => ({ ...(await pack.files?.(task)), ...(await host.files?.(task)) }) }
}

/**
 * Opens sessions on a server with a known address.
 * @param shared.turns queues the resets at AgentGym's servers; default: among those of this process
 * @param shared.pictures stores the pictures of servers of the host protocol; default: not stored
 */
export function serverSessions(
  id: string,
  host: Exclude<HostedEnvironment['host'], { kind: 'image' }>,
  withSnapshots: boolean,
  { turns, pictures }: { turns?: ResetTurns; pictures?: PictureStore } = {},
): SessionSource {
  if (host.kind === 'mcp') {
    return loadedLate(async () => {
      const { McpSessions } = await import('../../shared/environments/mcp/mcp-sessions.ts')
      return new McpSessions(id, host)
    })
  }
  if (host.kind === 'in-process') return host.sessions(pictures ?? unkeptPictures)
  const { address } = host
  if (host.kind === 'address') {
    const environment = { environment: host.environment, withSnapshots }
    return addressSessions({ address, ...environment, ...(pictures && { pictures }) })
  }
  if (host.kind === 'openenv') {
    return loadedLate(async () => {
      const { OpenenvSessions } = await import('../../shared/environments/openenv/openenv-sessions.ts')
      return new OpenenvSessions(id, host)
    })
  }
  const { max_sessions } = host
  return loadedLate(async () => {
    const { AgentgymSessions } = await import('../../shared/environments/agentgym/agentgym-sessions.ts')
    return new AgentgymSessions(
      { id, server: host.server as AgentgymServer, address, max_sessions },
      turns && { turns },
    )
  })
}

function packFilesOf({
  pack,
  definition,
}: Pick<OpenEnvironment, 'pack' | 'definition'>): Pick<HostSessionsOptions, 'files'> {
  const { filesOf } = definition.pack ?? {}
  if (pack === null || filesOf === undefined) return {}
  const known = new Set(pack.files)
  return {
    async files(task) {
      // An unknown task has no files, and the host reports it.
      const paths = filesOf(task).filter((path) => known.has(path))
      const texts = paths.map(
        async (path) => [path, Buffer.from(await pack.read(path)).toString('utf8')] as const,
      )
      return Object.fromEntries(await Promise.all(texts))
    },
  }
}

function loadedLate(load: () => Promise<SessionSource>): SessionSource {
  let source: Promise<SessionSource> | null = null
  return {
    async open(request, signal, leaving) {
      source ??= load()
      return (await source).open(request, signal, leaving)
    },
  }
}
