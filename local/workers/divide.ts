import { totalmem } from 'node:os'
import type { EndpointConfiguration } from '../../shared/contracts/endpoint-configuration.ts'
import type { Endpoints } from '../../shared/models/load-endpoints.ts'

const leastMemory = 2 ** 30
/** What all workers together may take of the memory that there is. */
const shareOfMemory = 0.7

/** Bytes of memory that one of several workers may use: its part of 70 % of what there is, and never less than 1 GiB. */
export function memoryOfWorker(count: number, total = availableMemory()): number {
  return Math.max(leastMemory, Math.floor((total * shareOfMemory) / count))
}

/**
 * The endpoints as each of several workers has them: `max_concurrency` is divided, so that all together keep to it. Each has
 * at least one call. Requests and tokens per minute need no division: they are leased from the ledger.
 */
export function divideCalls(endpoints: Endpoints, count: number): [string, EndpointConfiguration][] {
  return Array.from(endpoints, ([name, endpoint]) => [
    name,
    'max_concurrency' in endpoint
      ? { ...endpoint, max_concurrency: Math.max(1, Math.floor(endpoint.max_concurrency / count)) }
      : endpoint,
  ])
}

/** What a container allows, where that is less than the machine has. */
function availableMemory(): number {
  const constrained = process.constrainedMemory()
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
}
