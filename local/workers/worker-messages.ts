import type { LogEntry } from '../../functions/api/log.ts'
import type { EndpointConfiguration } from '../../shared/core/contracts/endpoint-configuration.ts'
import type { EpisodeMessage } from '../../shared/core/engine/episodes/episode-message.ts'
import type { WorkerDuty } from '../../shared/core/engine/worker.ts'
import type { QueueName } from '../../shared/core/world/ports.ts'

export interface WorkerAssignment {
  folder: string
  name: string
  duties: readonly WorkerDuty[]
  builds: boolean
  endpoints: readonly (readonly [string, EndpointConfiguration])[]
  workers: number
  code: string
  methodVersions: Readonly<Record<string, string>>
  capacity: number
  labels: readonly string[]
}

export type MessageToWorker =
  | { type: 'start'; assignment: WorkerAssignment }
  | { type: 'ring'; queue: QueueName }
  | { type: 'stop'; grace: number }

export type MessageFromWorker =
  | { type: 'beat' }
  | { type: 'ready' }
  | { type: 'ring'; queue: QueueName }
  | { type: 'alone'; episode: EpisodeMessage | null }
  | { type: 'log'; entry: LogEntry }
  | { type: 'damage'; name: string }
