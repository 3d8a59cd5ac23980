import { createApiClient } from '../../shared/client/api-client.ts'
import { transport } from './transport.ts'

export const api = createApiClient(transport)
