import type { Context } from 'hono'
import type { ApiApp } from '../../functions/api/api-app.ts'
import { needs } from '../../functions/api/authentication/needs.ts'
import packageFile from '../../package.json' with { type: 'json' }
import type { Principal } from '../../shared/core/auth/principal.ts'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import { defaultTenant } from '../../shared/core/contracts/tenant.ts'
import type { JoinGateway } from '../../shared/core/engine/joining/join-gateway.ts'
import { joinedPath, workerHeader } from '../../shared/core/world/joined/joined-call.ts'
import type { Objects } from '../../shared/core/world/ports.ts'
import { partKey } from '../../shared/learn/registry/weight-parts.ts'
import { hostPollSchema, hostsPath } from './host-calls.ts'
import type { HostMachines } from './host-machines.ts'
import { servedPath } from './model-calls.ts'
import type { ModelMachines } from './model-machines.ts'

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
    const name = checkHost(context.get('principal') as Principal, context.req.header(workerHeader))
    const { data: poll } = hostPollSchema.safeParse(await context.req.json().catch(() => null))
    if (poll === undefined) throw new EspalierError('invalid_request', 'The body is no poll of a machine.')
    if (poll.machine.version !== packageFile.version) throw otherVersion(poll.machine.version)
    return context.json({ orders: await machines.poll(name, poll, context.req.raw.signal) })
  })
}

/** The jobs of machines that serve models, and the parts of their weights. A start's name, a secret, opens both. */
export function addServedRoutes(
  app: ApiApp,
  models: Pick<ModelMachines, 'job'>,
  objects: Pick<Objects, 'get'>,
): void {
  const jobOf = (context: Context) => {
    checkHost(context.get('principal') as Principal, context.req.header(workerHeader))
    return models.job(context.req.param('life') ?? '')
  }
  app.use(`${servedPath}/*`, ...needs('hosts:join').middleware)
  app.get(`${servedPath}/:life`, (context) => context.json(jobOf(context)))
  app.get(`${servedPath}/:life/:part`, async (context) => {
    const { base, model, tenant } = jobOf(context)
    const files = [...model.files, ...(base !== null && 'files' in base ? base.files : [])]
    const part = files
      .flatMap(({ parts }) => parts)
      .find(({ sha256 }) => sha256 === context.req.param('part'))
    const stored = part && (await objects.get(partKey(tenant, part.sha256)))
    if (!stored) throw new EspalierError('not_found', 'The served model has no such part.')
    return context.body(new Uint8Array(stored.body), 200, { 'Content-Type': 'application/octet-stream' })
  })
}

function checkHost(principal: Principal, name: string | undefined): string {
  const checked = checkName(principal, name)
  if (principal.tenant === defaultTenant) return checked
  throw new EspalierError(
    'missing_scope',
    `Machines that run hosts join with a key of the tenant "${defaultTenant}".`,
  )
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
