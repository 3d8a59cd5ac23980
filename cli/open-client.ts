import { type ApiClient, createApiClient } from '../shared/core/client/api-client.ts'
import { type Credentials, createTransport, type Fetcher } from './api-transport.ts'

/**
 * The HTTP API for commands, with credentials and interruption.
 * @param needs.fetcher Sends a request to the service: `fetch`, or the `request` of an app in this process.
 * @param needs.credentials Omitted if the service requires none.
 * @param needs.signal Aborts every call with an interruption error.
 */
export function openClient(needs: {
  address: string
  fetcher: Fetcher
  signal: AbortSignal
  credentials?: Credentials
}): ApiClient {
  return createApiClient(createTransport(needs))
}
