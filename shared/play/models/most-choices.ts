import type { EndpointConfiguration } from '../../core/contracts/endpoint-configuration.ts'

export function mostChoices(endpoint: EndpointConfiguration): number | null {
  if (endpoint.kind === 'simulated') return null
  if (endpoint.kind === 'openai-responses' || endpoint.kind === 'anthropic') return 1
  // llama.cpp states the tokens of one choice a request.
  return endpoint.max_choices ?? (endpoint.tokens === 'llama-cpp' ? 1 : null)
}
