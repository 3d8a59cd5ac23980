import { type ApiClient, createApiClient } from './api-client.ts'
import { createFetchTransport, type ServiceAddress } from './fetch-transport.ts'

// `espalier/client`: the package's exports for programs and pages that call a service. It needs zod and nothing of
// Node. A bundler omits the schemas that a page does not use.
export * from '../contracts/annotated-dataset.ts'
export * from '../contracts/answers.ts'
export * from '../contracts/catalogue.ts'
export * from '../contracts/curve.ts'
export * from '../contracts/dataset.ts'
export * from '../contracts/dataset-preview.ts'
export * from '../contracts/dataset-row.ts'
export * from '../contracts/endpoint.ts'
export * from '../contracts/endpoint-configuration.ts'
export * from '../contracts/episode.ts'
export * from '../contracts/episode-calls.ts'
export * from '../contracts/errors.ts'
export * from '../contracts/estimate.ts'
export * from '../contracts/group-settings.ts'
export * from '../contracts/growth.ts'
export * from '../contracts/journal-digest.ts'
export * from '../contracts/json.ts'
export * from '../contracts/judgement.ts'
export * from '../contracts/key.ts'
export * from '../contracts/library.ts'
export * from '../contracts/limits.ts'
export * from '../contracts/list.ts'
export * from '../contracts/loop.ts'
export * from '../contracts/loop-report.ts'
export * from '../contracts/loop-settings.ts'
export * from '../contracts/memory.ts'
export * from '../contracts/message.ts'
export * from '../contracts/model-choice.ts'
export * from '../contracts/model-server.ts'
export * from '../contracts/node-detail.ts'
export * from '../contracts/preset.ts'
export * from '../contracts/provenance.ts'
export * from '../contracts/registered-model.ts'
export * from '../contracts/report.ts'
export * from '../contracts/rollout.ts'
export * from '../contracts/rollout-figures.ts'
export * from '../contracts/rubric-scoring.ts'
export * from '../contracts/run.ts'
export * from '../contracts/run-event.ts'
export * from '../contracts/scoring.ts'
export * from '../contracts/tenant-limits.ts'
export * from '../contracts/token-record.ts'
export * from '../contracts/trajectory.ts'
export * from '../contracts/trajectory-import.ts'
export * from '../contracts/tree.ts'
export * from '../contracts/usage.ts'
export * from '../contracts/waterfall.ts'
export type { ApiClient } from './api-client.ts'
export { ApiError } from './api-error.ts'
export type { SignedFile } from './build-calls.ts'
export { ConnectionError } from './connection-error.ts'
export type { ServiceAddress } from './fetch-transport.ts'
export type { FollowOptions, RolloutMessage, RunMessage } from './follow-events.ts'
export type { RunAction } from './play-calls.ts'
export type { Query, Transport, TransportRequest } from './transport.ts'

/**
 * The API of a service as typed functions, over `fetch`.
 * @example
 * const client = createClient({ address: 'http://127.0.0.1:8080' })
 * const { data } = await client.runs({ status: 'running' })
 * @throws TypeError for an invalid address; each call throws ApiError if the service refuses, ConnectionError if none
 * answers
 */
export function createClient(service: ServiceAddress): ApiClient {
  return createApiClient(createFetchTransport(service))
}
