import { setTimeout as sleep } from 'node:timers/promises'
import { createHostApp } from '../../containers/env-host/create-host-app.ts'
import { servePure } from '../../containers/env-host/serve-pure.ts'
import { ServedEnvironments } from '../../containers/env-host/served-environments.ts'
import type { ServedEnvironment } from '../../containers/env-host/session-backend.ts'
import { SessionTable } from '../../containers/env-host/session-table.ts'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import type { HostAnswer, HostCall, HostCaller } from '../../shared/core/contracts/host-call.ts'
import type { Json } from '../../shared/core/contracts/json.ts'
import type { World } from '../../shared/core/world/ports.ts'
import type { PureEnvironment } from '../../shared/environments/environment.ts'
import type { EnvironmentDefinition } from '../../shared/environments/environment-definition.ts'
import { HostRegistry } from '../../shared/environments/hosts/host-registry.ts'
import { hostSessions } from '../../shared/environments/hosts/host-sessions.ts'
import { callFailure, hostRoute } from '../../shared/environments/hosts/send-host-call.ts'
import type { SessionSource } from '../../shared/environments/session-source.ts'

/** The real host programs in this process: calls reach them without a network, and they can be lost at any call. */
export interface InProcessHosts {
  caller: HostCaller
  sessions: SessionSource
  /** Calls that were made so far. */
  calls: HostCall[]
  add(id: string): Promise<void>
  /** From now on it answers nothing, and its sessions are gone. */
  lose(id: string): void
}

export interface InProcessHostsOptions {
  world: World
  environment: Pick<PureEnvironment, 'id'>
  /** What the hosts serve it as, where it has options. */
  definition?: EnvironmentDefinition
  /** What the hosts serve, where its states are held by no value. */
  served?: ServedEnvironment
  /** As the environment says, unless a test wants its states to be replayed. */
  withSnapshots?: boolean
  /** Sessions that each host holds. @default 100 */
  slots?: number
  /** Milliseconds after which a call counts as one without an answer. @default never */
  callsWithin?: number
  /** Called before each call is made; may lose hosts. */
  onCall?: (call: HostCall, made: number) => void
}

const image = 'env-host'

export function openInProcessHosts(options: InProcessHostsOptions): InProcessHosts {
  const {
    world,
    environment,
    definition,
    served: given,
    withSnapshots = true,
    slots = 100,
    onCall,
    callsWithin,
  } = options
  const registry = new HostRegistry(world.ledger)
  const apps = new Map<string, ReturnType<typeof createHostApp>>()
  const calls: HostCall[] = []

  const serveValues = () => {
    if (definition !== undefined) return servePure(definition)
    return servePure({ id: environment.id, open: async () => environment as PureEnvironment })
  }

  const caller: HostCaller = {
    async call(call, signal): Promise<HostAnswer> {
      calls.push(call)
      onCall?.(call, calls.length)
      const app = apps.get(call.host)
      if (app === undefined) {
        const error = new EspalierError('host_unreachable', `The host ${call.host} is gone.`, {
          param: 'host',
        })
        return { status: error.status, body: error.toBody() }
      }
      const { method, path, body } = hostRoute(call)
      const headers = { 'content-type': 'application/json' }
      const answered = app.request(path, { method, body, headers })
      const late = callsWithin === undefined ? [] : [sleep(callsWithin, null)]
      const response = await Promise.race([answered, ...late, ...(signal ? [rejectedBy(signal)] : [])])
      if (response === null) return callFailure('host_timed_out', 'No answer came.')
      return { status: response.status, body: (await response.json()) as Json }
    },
  }

  return {
    caller,
    calls,
    sessions: hostSessions({ world, caller, image, environment: environment.id, withSnapshots }),
    async add(id) {
      const served = given ?? (await serveValues())
      if (served === null) throw new Error('The environment of this test is not pure.')
      const environments = new ServedEnvironments([served])
      const table = new SessionTable({ environments, slots, sessionIdle: 600 })
      apps.set(id, createHostApp(table))
      const now = world.clock.now()
      await registry.enter({
        id,
        image,
        address: `http://127.0.0.1:1`,
        status: 'starting',
        slots,
        sessions: 0,
        draining: false,
        launched_at: now,
        seen_at: now,
        idle_since: now,
      })
      await registry.open(id)
    },
    lose(id) {
      apps.delete(id)
    },
  }
}

/** What goes as soon as a signal fires, as a request over a network does. */
function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
