import { datasetCalls, importCalls, loopCalls, modelCalls, trainingCalls } from './build-calls.ts'
import { judgementCalls } from './judgement-calls.ts'
import { accessCalls, catalogueCalls, endpointCalls, learnedCalls, runCalls } from './play-calls.ts'
import { openRequests } from './requests.ts'
import type { Transport } from './transport.ts'

export type ApiClient = ReturnType<typeof createApiClient>

/**
 * The HTTP API as typed functions. Every call throws ApiError if the service refuses, and ConnectionError if no
 * service answers.
 */
export function createApiClient(transport: Transport) {
  const requests = openRequests(transport)
  return {
    address: transport.address,
    ...catalogueCalls(requests),
    ...endpointCalls(requests),
    ...runCalls(requests),
    ...judgementCalls(requests),
    ...learnedCalls(requests),
    ...importCalls(requests),
    ...datasetCalls(requests),
    ...modelCalls(requests),
    ...trainingCalls(requests),
    ...loopCalls(requests),
    ...accessCalls(requests),
  }
}
