import type { z } from 'zod'
import type { OpenAiEndpoint } from '../contracts/endpoint-configuration.ts'
import { EspalierError } from '../contracts/errors.ts'
import type { JsonObject } from '../contracts/json.ts'
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
} from '../contracts/training.ts'

/** A data file of a training, as its dataset stores it. */
export interface TrainerDataFile {
  name: string
  /** Its key in `World.objects`. */
  key: string
  sha256: string
  rows: number
}

export interface TrainerData {
  dataset: string
  split: string
  kind: string
  format: string
  /** Which part of the rows of an epoch it gives; null: all of its rows, once. */
  share: number | null
  files: TrainerDataFile[]
}

/** A training as a trainer is given it. The same for every call about one training. */
export interface TrainerJob {
  /** The training's id. */
  training: string
  recipe: TrainingRecipe
  /** A registered base is given as the folder that holds its files, or, where the trainer's service keeps it, by its name there. */
  base: Exclude<TrainingBase, { registered: string }>
  data: TrainerData[]
  hyperparameters: Hyperparameters
  lora: Lora | null
  seed: number
  /** Steps between two checkpoints; null: a tenth of all steps. */
  checkpointSteps: number | null
  keepCheckpoints: number
  /** What it has taken so far, for a trainer that has lost its own record of it. */
  used: { seconds: number; starts: number }
  /** Caps that remain, for trainers that can hold them by themselves. */
  limits: { cost: number | null; seconds: number | null }
}

/** A job that may have no training yet, while it is only asked for. */
export type AskedTrainerJob = Omit<TrainerJob, 'training' | 'used'> &
  Partial<Pick<TrainerJob, 'training' | 'used'>>

/** A checkpoint, or the finished model, as it lies in a folder of this machine. */
export interface TrainerFiles {
  step: number
  folder: string
  /** Relative to the folder. */
  names: string[]
  /** Which of them only a trainer needs that goes on from here. */
  optimizer: string[]
}

/** A checkpoint that the trainer's service keeps. */
export interface RemoteCheckpoint {
  step: number
  /** The name under which the service knows it as a model. */
  model: string
}

/** How a job stands. */
export interface TrainerState {
  /**
   * `absent`: never started here, or its process was lost with an earlier service: start it. `died`: its process was ended
   * from outside. `stopped`: it has saved a checkpoint and left, as it was asked to. `cancelled`: it has ended for good because
   * someone asked for that, here or elsewhere; only when it is asked for is it begun anew.
   */
  state: 'absent' | 'running' | 'succeeded' | 'failed' | 'died' | 'stopped' | 'cancelled'
  progress: TrainingProgress
  rows: TrainingRows | null
  points: TrainingPoint[]
  /** Checkpoints that are complete, oldest first. */
  checkpoints: TrainerFiles[]
  /** Those that the trainer's service keeps, oldest first. @default none */
  remoteCheckpoints?: RemoteCheckpoint[]
  /** Over all starts. */
  usage: { seconds: number; cost: number; starts: number }
  /** The last lines that it wrote. */
  tail: string[]
  warnings: string[]
  /** Which of the caps has stopped it, where its service keeps them. @default none */
  reached?: 'cost_limit' | 'time_limit'
  /** Of a failure, in words and for programs. */
  error: { reason: TrainingReason; message: string } | null
}

/** What a trainer made. */
export interface TrainedModel {
  format: 'safetensors' | 'adapter' | 'remote'
  files: { name: string; path: string }[]
  /** Where the provider keeps the model and no files are given out: the name under which it is asked there. */
  remote: string | null
  tokenizer: string | null
  chatTemplate: string | null
  contextLength: number | null
}

/** An adapter that is to be added to weights. */
export interface AdapterMerge extends Pick<TrainerJob, 'base' | 'recipe'> {
  /** The folder of the adapter. */
  adapter: string
  /** The folder to which the whole model is written. */
  output: string
}

/**
 * The trainer's service did not answer, or refuses to for now. Nothing is known to be wrong with the job: the same call is made
 * again later.
 */
export class TrainerUnreachableError extends EspalierError {
  readonly transient = true
  /** Seconds until the call is worth another try. */
  readonly retryAfter: number

  constructor(message: string, { retryAfter, cause }: { retryAfter: number; cause?: unknown }) {
    super('endpoint_failed', message, { cause })
    this.retryAfter = retryAfter
  }
}

/** Hyperparameters of a recipe that are a trainer's own. */
export interface TrainerHyperparameters {
  schema: z.ZodType<JsonObject>
  /** Those of the recipe that it has no field for, each with what to do in its place. */
  refused: Readonly<Record<string, string>>
}

/** A service that keeps the models that it trains, and answers for them. */
export interface TrainerService {
  /** How a model is asked there, by its name. */
  endpointOf(model: string): OpenAiEndpoint
}

/**
 * Trains models: a program on this machine, a command, or a service. A job is named by its training's id; every call may be
 * repeated, and may come from another process than the one before. Any call may throw a `TrainerUnreachableError`.
 */
export interface Trainer {
  /**
   * Why a base cannot be trained with rows that show pictures, in words that follow "and"; null: it can. Absent: the trainer
   * trains on texts alone.
   */
  readonly seesPictures?: (request: Pick<TrainingRequest, 'base' | 'recipe'>) => string | null
  readonly info: TrainerInfo
  /** How many jobs it does side by side; null: any number. */
  readonly atOnce: number | null
  /** The accelerator of this machine that a job holds while it runs; null: none. */
  readonly accelerator: string | null
  /** Seconds between two looks. */
  readonly lookEvery: number
  /** What keeps its bases and models. Absent: they are files here. */
  readonly service?: TrainerService
  /** Its hyperparameters of a recipe. Absent: those of the recipe. */
  hyperparameters?(recipe: TrainingRecipe): TrainerHyperparameters
  /**
   * Whether it can do the job: its program is there, the base can be read, has a chat template and an end token, and its
   * context is as long as asked for. Takes a moment and spends nothing.
   *
   * @returns what a user should know
   * @throws EspalierError naming the field of the request
   */
  check(job: AskedTrainerJob): Promise<string[]>
  /** Starts the job, or starts it again from its last checkpoint. Nothing to do where it runs. */
  start(job: TrainerJob): Promise<void>
  look(job: TrainerJob): Promise<TrainerState>
  /**
   * Takes a stored checkpoint where the trainer no longer has it, nor a newer one. Absent where the trainer's service keeps its
   * checkpoints by itself.
   *
   * @param write - writes the files into a folder
   */
  restore?(job: TrainerJob, step: number, write: (folder: string) => Promise<string[]>): Promise<void>
  /** Asks it to save a checkpoint and leave, or, with `atOnce`, to leave as it is. Nothing to do where it does not run. */
  stop(job: TrainerJob, options: { atOnce: boolean }): Promise<void>
  /** The finished model's files. Only for a job that has succeeded. */
  collect(job: TrainerJob): Promise<TrainedModel>
  /**
   * Adds the adapter of a checkpoint to the weights of its base. Absent where the trainer cannot.
   *
   * @returns the names of the files of the whole model
   * @throws EspalierError where the base cannot be read, or memory or disk do not suffice
   */
  merge?(merge: AdapterMerge): Promise<string[]>
  /** Removes what the job needed. The finished model is registered by then, or never will be. */
  release(training: string): Promise<void>
  /** Ends what runs here: the service is closing. Jobs go on from their last checkpoint when it starts again. */
  close(): Promise<void>
}
