import type { ApiApp } from '../../functions/api/api-app.ts'
import { needs } from '../../functions/api/authentication/needs.ts'
import packageFile from '../../package.json' with { type: 'json' }
import type { Principal } from '../../shared/core/auth/principal.ts'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import { defaultTenant } from '../../shared/core/contracts/tenant.ts'
import type { JoinGateway } from '../../shared/core/engine/joining/join-gateway.ts'
import { joinedPath, workerHeader } from '../../shared/core/world/joined/joined-call.ts'
import { hostPollSchema, hostsPath } from './host-calls.ts'
import type { HostMachines } from './host-machines.ts'

export function joinedName(key: string, suffix: string): string {
  return `joined-${key.replace(/^key-/, '')}-${suffix}`
}

export function addJoinRoute(app: ApiApp, gateway: JoinGateway): void {
  app.use(joinedPath, ...needs('workers:join').middleware)
  app.post(joinedPath, async (context) => {
    const { tenant } = context.get('principal') as Principal
    const name = checkName(context.get('principal') as Principal, context.req.header(workerHeader))
    const bytes = new Uint8Array(await context.req.arrayBuffer())
    const answer = await gateway.answer({ name, tenant }, bytes, context.req.raw.signal)
    return context.body(answer, 200, { 'Content-Type': 'application/octet-stream' })
  })
}

/** Sessions of all tenants run on these machines, so they join with a key of the service's own tenant. */
export function addHostRoute(app: ApiApp, machines: HostMachines): void {
  app.use(hostsPath, ...needs('hosts:join').middleware)
  app.post(hostsPath, async (context) => {
    const principal = context.get('principal') as Principal
    const name = checkName(principal, context.req.header(workerHeader))
    if (principal.tenant !== defaultTenant)
      throw new EspalierError(
        'missing_scope',
        `Machines that run hosts join with a key of the tenant "${defaultTenant}".`,
      )
    const { data: poll } = hostPollSchema.safeParse(await context.req.json().catch(() => null))
    if (poll === undefined) throw new EspalierError('invalid_request', 'The body is no poll of a machine.')
    if (poll.machine.version !== packageFile.version) throw otherVersion(poll.machine.version)
    return context.json({ orders: await machines.poll(name, poll, context.req.raw.signal) })
  })
}

function checkName({ key }: Principal, name = ''): string {
  if (key !== null && name.startsWith(joinedName(key, '')) && /^[a-z0-9-]{1,100}$/.test(name)) return name
  throw new EspalierError(
    'invalid_request',
    'A worker joins with a key of its own, and its name begins with that of the key: start it with espalier worker --join.',
  )
}

export function otherVersion(machine: string, service = packageFile.version): EspalierError {
  return new EspalierError(
    'conflict',
    `The service has Espalier ${service}, and this machine ${machine}: install the same version.`,
  )
}
