import type { SimulatedEndpoint } from '../endpoint-configuration.ts'
import type { Prices } from '../prices.ts'

const free: Prices = { '*': { input: 0, output: 0 } }

/** The prices of a simulated endpoint: nothing at all, unless it states some to try out limits on cost. */
export function simulatedPrices(endpoint: SimulatedEndpoint): Prices {
  return endpoint.prices ?? free
}
