import { type ApiClient, createApiClient } from '../shared/client/api-client.ts'
import { type Credentials, createTransport, type Fetcher } from './api-transport.ts'

/**
 * The HTTP API for commands: it sends credentials along, and ends as interrupted.
 *
 * @param needs.fetcher Sends a request to the service: `fetch`, or the `request` of an app in this process.
 * @param needs.credentials Left out where the service asks for none.
 * @param needs.signal Breaks off every call, as interrupted.
 */
export function openClient(needs: {
  address: string
  fetcher: Fetcher
  signal: AbortSignal
  credentials?: Credentials
}): ApiClient {
  return createApiClient(createTransport(needs))
}
