import type { Objects } from './ports.ts'

/** What a training job of a service such as SageMaker is asked for. Places are keys in one bucket. */
export interface TrainingJobRequest {
  /** Two requests with one name make one job. */
  name: string
  image: string
  /** The role that the job takes. */
  role: string
  instanceType: string
  /** Of its disk. GB. */
  volume: number
  /** Shown with the job, and handed to its program. */
  settings: Readonly<Record<string, string>>
  environment: Readonly<Record<string, string>>
  /** What it reads, each by the prefix of its keys. */
  inputs: readonly { name: string; prefix: string }[]
  /** Where its checkpoints are kept: what lies there when it begins, it finds. */
  checkpoints: string
  /** Where its model goes. */
  output: string
  /** Whether it runs on capacity that may be taken back. */
  isSpot: boolean
  /** Seconds of work, after which the service stops it. */
  mostWork: number
  /** Seconds until its end in all, waiting for capacity included. Of Spot alone. */
  mostTime: number
}

/** How a training job stands. Times are milliseconds since the epoch. */
export interface TrainingJobFacts {
  name: string
  status: 'running' | 'stopping' | 'completed' | 'failed' | 'stopped'
  /** What it does, or what ended it, in the service's word, such as `Interrupted`. */
  detail: string
  /** Why it failed, in the service's words. */
  failure: string | null
  /** What it was asked with. */
  settings: Readonly<Record<string, string>>
  /** What it did one after the other, each with the time that it took. */
  spans: readonly { detail: string; began: number; ended: number | null }[]
  /** Seconds of work, and those that are billed; null until it has ended. */
  worked: number | null
  billed: number | null
}

/**
 * A service that runs training jobs.
 *
 * What fails for now, such as a service that is not reached, throws an EspalierError `storage_failed`: the call may be repeated.
 */
export interface TrainingJobs {
  /** Nothing to do where there is a job of that name. @throws TrainingJobRefusalError */
  create(request: TrainingJobRequest): Promise<void>
  /** Null where there is none. @throws TrainingJobRefusalError */
  describe(name: string): Promise<TrainingJobFacts | null>
  /** Asks its program to leave. Nothing to do for one that has ended. @throws TrainingJobRefusalError */
  stop(name: string): Promise<void>
}

/** The files of training jobs, in the bucket that they read and write. Fails as `Objects` do. */
export interface TrainingJobFiles extends Pick<Objects, 'get' | 'delete'> {
  /** Every object whose key begins so, with its bytes. */
  list(prefix: string): Promise<{ key: string; size: number }[]>
  put(key: string, text: string): Promise<void>
  /** Stores a file of this machine, in parts where it is large. */
  upload(key: string, path: string): Promise<void>
  /** Writes an object to a file of this machine. */
  download(key: string, path: string): Promise<void>
}

/** The service has understood a request and does not do it. */
export class TrainingJobRefusalError extends Error {}
