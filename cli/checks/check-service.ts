import type { ApiClient } from '../../shared/core/client/api-client.ts'
import { ApiError } from '../../shared/core/client/api-error.ts'
import { ConnectionError } from '../../shared/core/client/connection-error.ts'
import type { JsonObject } from '../../shared/core/contracts/json.ts'
import { type Check, fail, ok } from './check.ts'
import { checkEndpoints } from './check-endpoints.ts'
import { checkWorkers } from './check-workers.ts'

function checkDamage({ damaged }: JsonObject): Check[] {
  if (typeof damaged !== 'number') return []
  const message = `The service has met ${damaged} damaged objects or items in its storage, and serves none of them.`
  return [fail('damage', message, 'End the service, then: espalier verify')]
}

export async function checkService(client: ApiClient, isHere: boolean): Promise<Check[]> {
  try {
    const health = await client.health({ deep: true })
    const healthy = ok('service', `${client.address} is well (version ${health.version}).`)
    return [
      healthy,
      ...checkDamage(health),
      ...checkWorkers(health, isHere),
      ...checkEndpoints((await client.models()).data),
    ]
  } catch (error) {
    if (error instanceof ConnectionError) {
      return [fail('service', error.message, 'Start it again: espalier serve')]
    }
    if (error instanceof ApiError) {
      return [fail('service', `${client.address}: ${error.message}`, 'See what the service prints.')]
    }
    throw error
  }
}
