import { createApiClient } from '../../shared/core/client/api-client.ts'
import { transport } from './transport.ts'

export const api = createApiClient(transport)
