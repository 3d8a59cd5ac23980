import { AzureOpenAI, OpenAI } from 'openai'
import type {
  AzureEndpoint,
  HttpEndpoint,
  OpenAiEndpoint,
} from '../../core/contracts/endpoint-configuration.ts'
import { loadOptional } from '../../core/programs/load-optional.ts'
import type { EndpointKey } from './endpoint-key.ts'
import { familyOf } from './model-family.ts'

export type Fetch = typeof globalThis.fetch

export type TokenProvider = () => Promise<string>

/** The header that carries a reservation's id, by which an endpoint's call log knows the call. */
export const callIdHeader = 'X-Client-Request-Id'

/** The package requires a key when a client is created; the header of each call replaces it. */
const inPlaceOfKey = 'none'

interface ClientParts {
  /** True if calls carry a key: each adds its own, by {@link keyHeader}, as keys can change while clients live. */
  keyed: boolean
  fetch: Fetch
  tokenProvider: TokenProvider | null
}

/** One client of the `openai` package for each address of the endpoint. None of them retries or logs on its own. */
export function createClients(endpoint: HttpEndpoint, parts: ClientParts): OpenAI[] {
  if (endpoint.kind === 'azure') return [createAzureClient(endpoint, parts)]
  const addresses = endpoint.base_urls ?? (endpoint.base_url === undefined ? [] : [endpoint.base_url])
  return addresses.map((address) => createOpenAiClient(endpoint, address, parts))
}

export function keyHeader(kind: HttpEndpoint['kind'], key: EndpointKey): Record<string, string> {
  return kind === 'azure' ? { 'api-key': key.reveal() } : { Authorization: `Bearer ${key.reveal()}` }
}

/** The field for the maximum answer: OpenAI's newer models refuse `max_tokens`, others accept only that. */
export function maxTokensField(
  endpoint: HttpEndpoint,
  model: string,
): 'max_tokens' | 'max_completion_tokens' {
  if (endpoint.max_tokens_field !== undefined) return endpoint.max_tokens_field
  if (endpoint.kind === 'azure' || familyOf({ id: model }).reasons) return 'max_completion_tokens'
  const address = endpoint.base_url ?? endpoint.base_urls?.[0] ?? ''
  return new URL(address).hostname.endsWith('openai.com') ? 'max_completion_tokens' : 'max_tokens'
}

function createOpenAiClient(endpoint: OpenAiEndpoint, address: string, parts: ClientParts): OpenAI {
  // Without a key, remove the header that the package adds.
  const headers = { ...endpoint.headers, ...(parts.keyed ? {} : { Authorization: null }) }
  return new OpenAI({
    ...common(endpoint, parts.fetch),
    apiKey: inPlaceOfKey,
    baseURL: address,
    defaultHeaders: headers,
    organization: endpoint.organization ?? null,
  })
}

function createAzureClient(endpoint: AzureEndpoint, parts: ClientParts): OpenAI {
  const resource = endpoint.base_url.replace(/\/+$/, '')
  return new AzureOpenAI({
    ...common(endpoint, parts.fetch),
    // Empty beside tokens, since the package would read a missing key from the environment.
    apiKey: parts.keyed ? inPlaceOfKey : '',
    ...(parts.tokenProvider === null ? {} : { azureADTokenProvider: parts.tokenProvider }),
    baseURL: resource.endsWith('/openai') ? resource : `${resource}/openai`,
    apiVersion: endpoint.api_version,
    ...(endpoint.deployment === undefined ? {} : { deployment: endpoint.deployment }),
    ...(endpoint.headers === undefined ? {} : { defaultHeaders: endpoint.headers }),
    organization: null,
  })
}

/** Sets everything that the package would otherwise read from the environment, so that no endpoint gets another's. */
function common(endpoint: HttpEndpoint, fetch: Fetch) {
  const timeout = Math.ceil(endpoint.timeout * 1000)
  return {
    fetch,
    timeout,
    maxRetries: 0,
    logLevel: 'off',
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
  } as const
}

export function azureIdentityProvider(): TokenProvider {
  let provider: Promise<TokenProvider> | undefined
  return async () => {
    provider ??= loadProvider()
    return (await provider)()
  }
}

async function loadProvider(): Promise<TokenProvider> {
  const { DefaultAzureCredential, getBearerTokenProvider } = await loadOptional(
    ['@azure/identity'],
    'The token provider azure-identity',
    () => import('@azure/identity'),
  )
  return getBearerTokenProvider(new DefaultAzureCredential(), 'https://cognitiveservices.azure.com/.default')
}
