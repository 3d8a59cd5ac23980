import type {
  AnthropicEndpoint,
  AzureEndpoint,
  HttpEndpoint,
  OpenAiEndpoint,
  ResponsesEndpoint,
} from '../../core/contracts/endpoint-configuration.ts'
import { loadOptional } from '../../core/programs/load-optional.ts'
import type { WireCall } from './codec.ts'
import type { EndpointKey } from './endpoint-key.ts'
import { callIdHeader } from './transport.ts'

export type TokenProvider = () => Promise<string>

export interface EndpointAddress {
  /** @throws Error if a header cannot be sent, or no token could be had */
  address(
    call: WireCall,
    to: { key: EndpointKey | null; callId: string },
  ): Promise<{ url: string; headers: Record<string, string> }>
}

export function endpointAddresses(endpoint: HttpEndpoint, tokens: TokenProvider | null): EndpointAddress[] {
  if (endpoint.kind === 'azure') return [azureAddress(endpoint, tokens)]
  const { base_url, base_urls = base_url === undefined ? usualBases[endpoint.kind] : [base_url] } = endpoint
  return base_urls.map((base) =>
    endpoint.kind === 'anthropic' ? anthropicAddress(endpoint, base) : openAiAddress(endpoint, base),
  )
}

const usualBases = {
  openai: [],
  'openai-responses': ['https://api.openai.com/v1'],
  anthropic: ['https://api.anthropic.com'],
}

/**
 * Versions of the Messages API: the newest, and the last that takes temperature and top_p.
 *
 * Source: Anthropic's page on versions.
 */
const anthropicVersions = { newest: '2026-10-21', sampling: '2023-06-01' }

function anthropicAddress(endpoint: AnthropicEndpoint, base: string): EndpointAddress {
  const { sampling = false } = endpoint
  const samples = Array.isArray(sampling) ? sampling.length > 0 : sampling !== false
  const version = anthropicVersions[samples ? 'sampling' : 'newest']
  const usual = usualHeaders(endpoint, { 'anthropic-version': version })
  const versioned = `${base.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1`
  return {
    async address(call, { key, callId }) {
      const headers = { ...usual() }
      if (key !== null) headers['x-api-key'] = key.reveal()
      headers[callIdHeader] = callId
      return { url: join(versioned, call), headers: accepting(call, headers) }
    },
  }
}

function openAiAddress(endpoint: OpenAiEndpoint | ResponsesEndpoint, base: string): EndpointAddress {
  const { organization } = endpoint
  const usual = usualHeaders(
    endpoint,
    organization === undefined ? {} : { 'openai-organization': organization },
  )
  return {
    async address(call, { key, callId }) {
      // A header of the configuration carries no key: keys can change, and each call adds its own.
      const { authorization: _, ...headers } = usual()
      if (key !== null) headers.authorization = `Bearer ${key.reveal()}`
      headers[callIdHeader] = callId
      return { url: join(base, call), headers: accepting(call, headers) }
    },
  }
}

function azureAddress(endpoint: AzureEndpoint, tokens: TokenProvider | null): EndpointAddress {
  const resource = endpoint.base_url.replace(/\/+$/, '')
  const base = resource.endsWith('/openai') ? resource : `${resource}/openai`
  const query = `?api-version=${encodeURIComponent(endpoint.api_version)}`
  const usual = usualHeaders(endpoint, {})
  const isDeployment = new URL(base).pathname.split('/').includes('deployments')
  return {
    async address(call, { key, callId }) {
      const headers = { ...usual() }
      if (key !== null) headers['api-key'] = key.reveal()
      if (tokens !== null) headers.authorization = `Bearer ${await tokens()}`
      headers[callIdHeader] = callId
      const deployment = encodeURIComponent(endpoint.deployment ?? call.model)
      const within = isDeployment || call.isBesideV1 ? base : `${base}/deployments/${deployment}`
      return { url: `${join(within, call)}${query}`, headers: accepting(call, headers) }
    },
  }
}

function accepting({ streams }: WireCall, headers: Record<string, string>): Record<string, string> {
  return streams ? { ...headers, accept: 'text/event-stream' } : headers
}

function join(base: string, { path, isBesideV1 }: WireCall): string {
  return isBesideV1
    ? `${base.replace(/\/+$/, '').replace(/\/v1$/, '')}${path}`
    : `${base.replace(/\/$/, '')}${path}`
}

function usualHeaders(
  { headers = {} }: HttpEndpoint,
  own: Record<string, string>,
): () => Record<string, string> {
  let usual: Record<string, string> | null = null
  return () => {
    if (usual === null) {
      const all = new Headers({ accept: 'application/json', 'user-agent': 'espalier', ...own })
      for (const [name, value] of Object.entries(headers)) all.set(name, value)
      all.set('content-type', 'application/json')
      usual = Object.fromEntries(all)
    }
    return usual
  }
}

export function azureIdentityProvider(scope = 'https://cognitiveservices.azure.com/.default'): TokenProvider {
  let provider: Promise<TokenProvider> | undefined
  return async () => {
    provider ??= loadProvider(scope)
    return (await provider)()
  }
}

async function loadProvider(scope: string): Promise<TokenProvider> {
  const { DefaultAzureCredential, getBearerTokenProvider } = await loadOptional(
    ['@azure/identity'],
    'The token provider azure-identity',
    () => import('@azure/identity'),
  )
  return getBearerTokenProvider(new DefaultAzureCredential(), scope)
}
