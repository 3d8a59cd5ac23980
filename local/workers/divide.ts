import type { EndpointConfiguration } from '../../shared/core/contracts/endpoint-configuration.ts'
import { availableMemory } from '../../shared/core/programs/available-memory.ts'
import type { Endpoints } from '../../shared/play/models/load-endpoints.ts'

const leastMemory = 2 ** 30
const shareOfMemory = 0.7

/** Bytes of memory for one of several workers: its share of 70 % of the available memory, at least 1 GiB. */
export function memoryOfWorker(count: number, total = availableMemory()): number {
  return Math.max(leastMemory, Math.floor((total * shareOfMemory) / count))
}

/**
 * Divides each endpoint's `max_concurrency` among workers, at least one call each, so that together they respect it.
 * Requests and tokens per minute need no division: workers lease them from the ledger.
 */
export function divideCalls(endpoints: Endpoints, count: number): [string, EndpointConfiguration][] {
  return Array.from(endpoints, ([name, endpoint]) => [
    name,
    'max_concurrency' in endpoint
      ? { ...endpoint, max_concurrency: Math.max(1, Math.floor(endpoint.max_concurrency / count)) }
      : endpoint,
  ])
}
