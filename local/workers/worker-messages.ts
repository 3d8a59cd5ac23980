import type { LogEntry } from '../../functions/api/log.ts'
import type { EndpointConfiguration } from '../../shared/contracts/endpoint-configuration.ts'
import type { EpisodeMessage } from '../../shared/engine/episodes/episode-message.ts'
import type { WorkerDuty } from '../../shared/engine/worker.ts'
import type { QueueName } from '../../shared/world/ports.ts'

export interface WorkerAssignment {
  folder: string
  /** The worker's name in the ledger, also as the holder of its messages. */
  name: string
  duties: readonly WorkerDuty[]
  builds: boolean
  endpoints: readonly (readonly [string, EndpointConfiguration])[]
  workers: number
  code: string
  /** Versions of the methods in `methods.json`, by id, as the service's process has loaded them. */
  methodVersions: Readonly<Record<string, string>>
  capacity: number
}

export type MessageToWorker =
  | { type: 'start'; assignment: WorkerAssignment }
  /** Another process sent messages to a queue, or returned some. */
  | { type: 'ring'; queue: QueueName }
  /** Commit pending work and leave, cutting off calls that exceed `grace` seconds. */
  | { type: 'stop'; grace: number }

export type MessageFromWorker =
  | { type: 'beat' }
  | { type: 'ready' }
  | { type: 'ring'; queue: QueueName }
  /** It is about to play this episode alone. Null: it no longer does. */
  | { type: 'alone'; episode: EpisodeMessage | null }
  | { type: 'log'; entry: LogEntry }
