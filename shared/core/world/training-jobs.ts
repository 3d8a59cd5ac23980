import type { Objects } from './ports.ts'

export interface TrainingJobRequest {
  /** Two requests with one name create one job. */
  name: string
  image: string
  role: string
  instanceType: string
  volume: number
  settings: Readonly<Record<string, string>>
  environment: Readonly<Record<string, string>>
  inputs: readonly { name: string; prefix: string }[]
  checkpoints: string
  output: string
  isSpot: boolean
  mostWork: number
  /** Seconds until its end in all, waiting for capacity included. Of Spot alone. */
  mostTime: number
}

export interface TrainingJobFacts {
  name: string
  status: 'running' | 'stopping' | 'completed' | 'failed' | 'stopped'
  detail: string
  failure: string | null
  settings: Readonly<Record<string, string>>
  spans: readonly { detail: string; began: number; ended: number | null }[]
  /** Seconds of work, and the billed ones; null until it has ended. */
  worked: number | null
  billed: number | null
}

/**
 * A service that runs training jobs. Transient failures, such as an unreachable service, throw an EspalierError
 * `storage_failed`: the call may be repeated.
 */
export interface TrainingJobs {
  /** Does nothing if there is a job of that name. @throws TrainingJobRefusalError */
  create(request: TrainingJobRequest): Promise<void>
  /** Null if there is none. @throws TrainingJobRefusalError */
  describe(name: string): Promise<TrainingJobFacts | null>
  /** Asks its program to leave. Does nothing for an ended one. @throws TrainingJobRefusalError */
  stop(name: string): Promise<void>
}

export interface TrainingJobFiles extends Pick<Objects, 'get' | 'delete'> {
  list(prefix: string): Promise<{ key: string; size: number }[]>
  put(key: string, text: string): Promise<void>
  upload(key: string, path: string): Promise<void>
  download(key: string, path: string): Promise<void>
}

export class TrainingJobRefusalError extends Error {}
