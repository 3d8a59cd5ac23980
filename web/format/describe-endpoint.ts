import type { EndpointOrigin } from '../../shared/core/contracts/catalogue.ts'
import type { EndpointConfiguration } from '../../shared/core/contracts/endpoint-configuration.ts'

const origins: Record<EndpointOrigin, string> = {
  configured: 'from endpoints.json or the program',
  api: 'added over the API',
  served: 'a model that is served here',
}

export function nameOrigin(origin: EndpointOrigin | undefined): string {
  return origins[origin ?? 'configured']
}

export function addressesIn(configuration: EndpointConfiguration): string[] {
  if (configuration.kind === 'azure') return [configuration.base_url]
  if (configuration.kind === 'simulated' || configuration.kind === 'served') return []
  const { base_url, base_urls = [] } = configuration
  return base_url === undefined ? base_urls : [base_url, ...base_urls]
}
