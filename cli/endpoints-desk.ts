import type { EndpointAddition, EndpointChange, EndpointDetail } from '../shared/core/contracts/endpoint.ts'
import { endpointAdditionSchema, endpointChangeSchema } from '../shared/core/contracts/endpoint.ts'
import type { JsonObject } from '../shared/core/contracts/json.ts'
import { describeInvalid } from '../shared/core/contracts/validation/describe-invalid.ts'
import type { DeskWays } from './at-desk.ts'

export interface EndpointsDesk {
  list(): Promise<EndpointDetail[]>
  get(name: string): Promise<EndpointDetail>
  add(request: { name: string; endpoint: JsonObject }): Promise<EndpointDetail>
  change(name: string, change: { endpoint: JsonObject }): Promise<EndpointDetail>
  remove(name: string): Promise<void>
}

export const endpointsDesk: DeskWays<EndpointsDesk> = {
  service: (client) => ({
    list: async () => (await client.endpoints()).data,
    get: client.endpoint,
    add: client.addEndpoint,
    change: client.changeEndpoint,
    remove: client.removeEndpoint,
  }),
  async ledger(ledger) {
    const { openEndpointDirectory } = await import('../shared/play/models/endpoint-directory.ts')
    const { openModels } = await import('../shared/play/models/model-pool.ts')
    const { openEndpoints } = await import('../shared/play/models/open-endpoints.ts')
    const directory = openEndpointDirectory({ ledger, clock: { now: () => Date.now() } })
    const models = openModels(new Map(), { directory })
    const now = () => performance.now()
    const endpoints = openEndpoints({ models, directory, network: 'public', now })
    return {
      ...endpoints,
      add: (request) => endpoints.add(check(endpointAdditionSchema, request) as EndpointAddition),
      change: (name, change) => endpoints.change(name, check(endpointChangeSchema, change) as EndpointChange),
    }
  },
}

function check(
  schema: typeof endpointAdditionSchema | typeof endpointChangeSchema,
  value: JsonObject,
): unknown {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw describeInvalid(parsed.error, { part: 'json', schema, value })
}
