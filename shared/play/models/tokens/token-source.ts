import type { HttpEndpoint, ServedEndpoint } from '../../../core/contracts/endpoint-configuration.ts'
import type { TokenSource } from '../../../core/contracts/token-record.ts'

export type TokenServer = Exclude<TokenSource, 'logprobs'>

export function tokenSourceOf({
  kind,
  tokens = 'logprobs',
}: Pick<HttpEndpoint | ServedEndpoint, 'kind' | 'tokens'>): TokenSource | null {
  const isChat = kind !== 'openai-responses' && kind !== 'anthropic'
  return tokens === 'none' || !isChat ? null : tokens
}

export function isTokenServer(source: TokenSource | null): source is TokenServer {
  return source !== null && source !== 'logprobs'
}
