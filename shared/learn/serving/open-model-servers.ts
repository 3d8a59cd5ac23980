import { isDeepStrictEqual } from 'node:util'
import {
  type OpenAiEndpoint,
  type ServedEndpoint,
  servedEndpointSchema,
} from '../../core/contracts/endpoint-configuration.ts'
import { EspalierError } from '../../core/contracts/errors.ts'
import {
  type ServeRequest,
  type ServeSettings,
  serveRequestSchema,
} from '../../core/contracts/model-server.ts'
import type { ModelSource, RegisteredModel, RemoteModel } from '../../core/contracts/registered-model.ts'
import type { World } from '../../core/world/ports.ts'
import type { EndpointDirectory } from '../../play/models/endpoint-directory.ts'
import { modelItemKey } from '../registry/model-ledger.ts'
import type { TenantModels } from '../registry/model-registry.ts'
import type { ModelServers, TenantModelServers } from './model-servers.ts'
import type { ServerDrivers } from './server-driver.ts'
import { type ServerRow, serverLedger, toModelServer } from './server-ledger.ts'

export interface ModelServerNeeds {
  world: World
  registry: TenantModels
  directory: EndpointDirectory
  isTaken: (name: string) => boolean
  drivers: ServerDrivers | null
  /** Checks the source of an adapter's base. @throws EspalierError for a folder or name that requests may not name */
  checkBase(base: ModelSource): void
  /** The endpoint of a model that a service keeps; null if this service does not know that service. */
  remoteEndpoint(remote: RemoteModel): OpenAiEndpoint | null
}

export function openModelServers(needs: ModelServerNeeds): TenantModelServers {
  return { of: (tenant) => serversOf(needs, tenant) }
}

function serversOf(
  { world, registry, directory, isTaken, drivers, checkBase, remoteEndpoint }: ModelServerNeeds,
  tenant: string,
): ModelServers {
  const { clock, ledger } = world
  const rows = serverLedger(ledger)
  const models = registry.of(tenant)

  const read = async (model: string) => {
    const row = await rows.read(model)
    return row?.tenant === tenant ? row : null
  }

  /** Records the model's endpoint, if the model exists: from then on it cannot be deleted. */
  async function noteEndpoint(model: string, endpoint: string): Promise<void> {
    const { ok } = await ledger.update({
      key: modelItemKey(model),
      set: { endpoint },
      if: [{ attribute: 'tenant', is: 'equal', value: tenant }],
    })
    if (!ok)
      throw new EspalierError('not_found', `There is no registered model "${model}".`, { param: 'model' })
  }

  async function putEndpoint(
    model: RegisteredModel,
    configuration: ServedEndpoint | OpenAiEndpoint,
  ): Promise<string> {
    const endpoint = { configuration, origin: 'served' as const, tenant }
    for (const name of model.endpoint === null ? namesFor(model) : [model.endpoint]) {
      if (isTaken(name)) continue
      const found = directory.current().get(name)
      const answers = found?.configuration ?? null
      if (found?.origin === 'served' && answers !== null && 'model' in answers) {
        const isOurs = answers.model === configuration.model && found.tenant === tenant
        if (isOurs && isDeepStrictEqual(plain(answers), plain(configuration))) return name
        if (isOurs && (await directory.change({ ...endpoint, name }))) return name
      }
      if (await directory.add({ ...endpoint, name })) return name
    }
    throw new EspalierError('conflict', `No endpoint can be named after ${model.id}: the name is taken.`, {
      param: 'model',
    })
  }

  async function chooseHow(model: RegisteredModel, asked: ServeSettings) {
    if (model.remote !== null) {
      refuseSettings(model.id, asked)
      const configuration = remoteEndpoint(model.remote)
      if (configuration === null) {
        throw new EspalierError(
          'not_supported',
          `${model.id} is kept by the service of the trainer "${model.remote.trainer}", which is not in trainers.json. Configure it there again.`,
        )
      }
      return { configuration, settings: { ...asked, driver: 'remote' as const } }
    }
    if (drivers === null) {
      throw new EspalierError(
        'not_supported',
        'This service starts no servers of models. Serve the model elsewhere, and add its address: espalier endpoints add.',
      )
    }
    const settings = { ...asked, driver: await drivers.choose(model, asked) }
    const configuration = servedEndpointSchema.parse({
      kind: 'served',
      model: model.id,
      context: settings.context ?? model.context_length,
      // Servers differ in counting the tokens of several answers to one request.
      max_choices: 1,
      ...(settings.driver === 'llama-cpp' && { tokens: 'llama-cpp' }),
      max_concurrency: Math.max(settings.slots, 64),
      max_retries: 2,
      prices: { '*': { input: 0, output: 0 } },
    })
    return { configuration, settings }
  }

  return {
    async serve(id, request = {}) {
      const model = await models.get(id)
      const usual = model.remote === null ? usualFor(drivers, request) : {}
      const asked = serveRequestSchema.parse({ ...usual, ...request })
      if (model.format === 'adapter' && model.parent === null && model.base !== null) checkBase(model.base)
      const { configuration, settings } = await chooseHow(model, asked)
      await directory.refresh()
      const endpoint = await putEndpoint(model, configuration)
      await noteEndpoint(id, endpoint)
      const now = clock.now()
      const before = await read(id)
      if (configuration.kind === 'openai') {
        const row = wantedRow({ model, tenant, endpoint, settings, before, now })
        const answers = { state: 'running' as const, address: configuration.base_url ?? null, wanted_at: 0 }
        await rows.put({ ...row, ...answers, started_at: row.created_at })
        return endpoint
      }
      if (before !== null && isDeepStrictEqual(before.settings, settings)) {
        await rows.change(id, { wanted_at: now, endpoint })
        return endpoint
      }
      await rows.put(wantedRow({ model, tenant, endpoint, settings, before, now }))
      return endpoint
    },

    async stop(id) {
      const { endpoint } = await models.get(id)
      if (endpoint !== null) await directory.remove(endpoint)
      if ((await read(id)) !== null) await rows.remove(id)
      await ledger.update({
        key: modelItemKey(id),
        remove: ['endpoint'],
        if: [{ attribute: 'tenant', is: 'equal', value: tenant }],
      })
    },

    async list() {
      const own = (await rows.all()).filter((row) => row.tenant === tenant)
      return own.toSorted((one, other) => other.created_at - one.created_at).map(toModelServer)
    },

    async get(id) {
      const row = await read(id)
      if (row !== null) return toModelServer(row)
      throw new EspalierError('not_found', `${id} is not served. Serve it: espalier models serve ${id}.`, {
        param: 'model',
      })
    },
  }
}

/**
 * The row of a model to be served. It keeps its server's history, so that the server restarts with other settings.
 */
function wantedRow({
  model,
  before,
  now,
  ...asked
}: Pick<ServerRow, 'tenant' | 'endpoint' | 'settings'> & {
  model: RegisteredModel
  before: ServerRow | null
  now: number
}): ServerRow {
  return {
    ...asked,
    model: model.id,
    name: model.name,
    state: before?.state ?? 'stopped',
    note: null,
    log_tail: [],
    address: before?.address ?? null,
    life: before?.life ?? '',
    restarts: before?.restarts ?? 0,
    created_at: before?.created_at ?? now,
    started_at: before?.started_at ?? 0,
    used_at: before?.used_at ?? 0,
    wanted_at: now,
    ended_at: before?.ended_at ?? 0,
  }
}

/** A request for another driver does not take the operator's command. */
function usualFor(drivers: ServerDrivers | null, request: ServeRequest): ServeRequest {
  const { command, ...usual } = drivers?.usual ?? {}
  return command === undefined || (request.driver ?? usual.driver) !== 'command'
    ? usual
    : { ...usual, command }
}

function refuseSettings(model: string, { driver, ...settings }: ServeSettings): void {
  const given = ['command', 'context', 'threads'] as const
  const field =
    driver === undefined || driver === 'remote'
      ? given.find((name) => settings[name] !== undefined)
      : ('driver' as const)
  if (field === undefined) return
  throw new EspalierError(
    'invalid_request',
    `${model} is kept by a service, which decides how it answers. Leave ${field} out.`,
    { param: field },
  )
}

function plain(configuration: object): unknown {
  return JSON.parse(JSON.stringify(configuration))
}

function namesFor({ id, name }: RegisteredModel): string[] {
  const plain = name
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+|-+$/g, '')
    .slice(0, 64)
  return plain === '' ? [id] : [plain, id]
}
