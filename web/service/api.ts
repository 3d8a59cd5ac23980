import { createApiClient } from '../../shared/client/api-client.ts'
import { transport } from './transport.ts'

/** The HTTP API as typed functions, for the page. */
export const api = createApiClient(transport)
