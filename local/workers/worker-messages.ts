import type { LogEntry } from '../../functions/api/log.ts'
import type { EndpointConfiguration } from '../../shared/contracts/endpoint-configuration.ts'
import type { EpisodeMessage } from '../../shared/engine/episodes/episode-message.ts'
import type { WorkerDuty } from '../../shared/engine/worker.ts'
import type { QueueName } from '../../shared/world/ports.ts'

/** What a worker process is to do. It travels as JSON, and holds no secret: keys come from the environment and from files. */
export interface WorkerAssignment {
  folder: string
  /** The worker's name in the ledger, and of the holder of its messages. */
  name: string
  duties: readonly WorkerDuty[]
  /** Whether it builds datasets. */
  builds: boolean
  endpoints: readonly (readonly [string, EndpointConfiguration])[]
  /** How many worker processes there are. */
  workers: number
  /** The version of the code, as journals keep it. */
  code: string
  /** Of the methods that `methods.json` adds, by id, as the service's process has loaded them. */
  methodVersions: Readonly<Record<string, string>>
  /** Episodes played side by side at most. */
  capacity: number
}

export type MessageToWorker =
  | { type: 'start'; assignment: WorkerAssignment }
  /** Another process sent messages of a queue, or gave some back. */
  | { type: 'ring'; queue: QueueName }
  /** Commit what is under way and leave, cutting off what takes longer than `grace` seconds. */
  | { type: 'stop'; grace: number }

export type MessageFromWorker =
  /** Its event loop runs. */
  | { type: 'beat' }
  /** It takes work. */
  | { type: 'ready' }
  | { type: 'ring'; queue: QueueName }
  /** It is about to play this episode alone; null: it no longer does. */
  | { type: 'alone'; episode: EpisodeMessage | null }
  | { type: 'log'; entry: LogEntry }
