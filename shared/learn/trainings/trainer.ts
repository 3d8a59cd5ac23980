import type { z } from 'zod'
import type { OpenAiEndpoint } from '../../core/contracts/endpoint-configuration.ts'
import { EspalierError } from '../../core/contracts/errors.ts'
import type { JsonObject } from '../../core/contracts/json.ts'
import type {
  Hyperparameters,
  Lora,
  TrainerInfo,
  TrainingBase,
  TrainingPoint,
  TrainingProgress,
  TrainingReason,
  TrainingRecipe,
  TrainingRequest,
  TrainingRows,
} from '../../core/contracts/training.ts'

export interface TrainerDataFile {
  name: string
  key: string
  sha256: string
  rows: number
}

export interface TrainerData {
  dataset: string
  split: string
  kind: string
  format: string
  /** Its share of the rows of an epoch; null: all of its rows, once. */
  share: number | null
  files: TrainerDataFile[]
}

export interface TrainerJob {
  training: string
  recipe: TrainingRecipe
  /**
   * A registered base becomes the folder with its files, or its name at the trainer's service if the service keeps
   * it.
   */
  base: Exclude<TrainingBase, { registered: string }>
  data: TrainerData[]
  hyperparameters: Hyperparameters
  lora: Lora | null
  seed: number
  checkpointSteps: number | null
  keepCheckpoints: number
  used: { seconds: number; starts: number }
  limits: { cost: number | null; seconds: number | null }
}

export type AskedTrainerJob = Omit<TrainerJob, 'training' | 'used'> &
  Partial<Pick<TrainerJob, 'training' | 'used'>>

export interface TrainerFiles {
  step: number
  folder: string
  names: string[]
  optimizer: string[]
}

export interface RemoteCheckpoint {
  step: number
  model: string
}

export interface TrainerState {
  /**
   * `absent`: never started here, or its process was lost with an earlier service: start it. `died`: its process was
   * ended from outside. `stopped`: it saved a checkpoint and left on request. `cancelled`: it ended for good on
   * request, here or elsewhere. Only a new request starts it again.
   */
  state: 'absent' | 'running' | 'succeeded' | 'failed' | 'died' | 'stopped' | 'cancelled'
  progress: TrainingProgress
  rows: TrainingRows | null
  points: TrainingPoint[]
  checkpoints: TrainerFiles[]
  /** Checkpoints that the trainer's service keeps, oldest first. @default none */
  remoteCheckpoints?: RemoteCheckpoint[]
  usage: { seconds: number; cost: number; starts: number }
  tail: string[]
  warnings: string[]
  /** The cap that stopped it, if its service enforces caps. @default none */
  reached?: 'cost_limit' | 'time_limit'
  error: { reason: TrainingReason; message: string } | null
}

export interface TrainedModel {
  format: 'safetensors' | 'adapter' | 'remote'
  files: { name: string; path: string }[]
  /** The model's name at the provider, if the provider keeps it and releases no files. */
  remote: string | null
  tokenizer: string | null
  chatTemplate: string | null
  contextLength: number | null
}

export interface AdapterMerge extends Pick<TrainerJob, 'base' | 'recipe'> {
  adapter: string
  output: string
}

/**
 * The trainer's service did not answer, or refuses for now. The job itself has no known fault: the caller repeats the
 * call later.
 */
export class TrainerUnreachableError extends EspalierError {
  readonly transient = true
  readonly retryAfter: number

  constructor(message: string, { retryAfter, cause }: { retryAfter: number; cause?: unknown }) {
    super('endpoint_failed', message, { cause })
    this.retryAfter = retryAfter
  }
}

export interface TrainerHyperparameters {
  schema: z.ZodType<JsonObject>
  /** Hyperparameters of the recipe without a field here, each with the remedy. */
  refused: Readonly<Record<string, string>>
}

export interface TrainerService {
  endpointOf(model: string): OpenAiEndpoint
}

/**
 * Trains models: a program on this machine, a command, or a service. The training's id names the job. Every call may
 * be repeated, also from another process. Any call may throw a `TrainerUnreachableError`.
 */
export interface Trainer {
  /**
   * The reason why a base cannot be trained with rows that show pictures, worded to follow "and"; null: it can.
   * Absent: the trainer accepts only texts.
   */
  readonly seesPictures?: (request: Pick<TrainingRequest, 'base' | 'recipe'>) => string | null
  readonly info: TrainerInfo
  readonly atOnce: number | null
  /** The accelerator of this machine that a running job holds; null: none. */
  readonly accelerator: string | null
  readonly lookEvery: number
  readonly service?: TrainerService
  hyperparameters?(recipe: TrainingRecipe): TrainerHyperparameters
  /**
   * Checks that it can do the job: its program exists, the base is readable, has a chat template and an end token,
   * and a long enough context. Takes a moment and spends nothing.
   * @returns warnings for the user
   * @throws EspalierError naming the field of the request
   */
  check(job: AskedTrainerJob): Promise<string[]>
  /** Starts the job, or restarts it from its last checkpoint. Idempotent while it runs. */
  start(job: TrainerJob): Promise<void>
  look(job: TrainerJob): Promise<TrainerState>
  /**
   * Restores a stored checkpoint if the trainer no longer has it, nor a newer one. Absent if the trainer's service
   * keeps its checkpoints itself.
   * @param write - writes the files into a folder
   */
  restore?(job: TrainerJob, step: number, write: (folder: string) => Promise<string[]>): Promise<void>
  /**
   * Asks it to save a checkpoint and leave, or with `atOnce` to leave immediately. Does nothing if it does not run.
   */
  stop(job: TrainerJob, options: { atOnce: boolean }): Promise<void>
  collect(job: TrainerJob): Promise<TrainedModel>
  /**
   * Merges the adapter of a checkpoint into the weights of its base. Absent if the trainer cannot.
   * @returns the names of the files of the whole model
   * @throws EspalierError if the base cannot be read, or memory or disk do not suffice
   */
  merge?(merge: AdapterMerge): Promise<string[]>
  /** Removes the job's files. The finished model is registered by then, or never will be. */
  release(training: string): Promise<void>
  /** Ends local processes when the service closes. Jobs resume from their last checkpoint when it starts again. */
  close(): Promise<void>
}
