import type { Dataset, DatasetRequest, LineageRow } from '../contracts/dataset.ts'
import type { RunEstimate } from '../contracts/estimate.ts'
import type { RunRequest, TaskSelection } from '../contracts/run.ts'
import type { PlannedTraining, Training, TrainingRequest } from '../contracts/training.ts'
import type { Runs } from '../engine/runs/runs.ts'
import type { Reports } from '../reports/open-reports.ts'

/** What a loop needs of the rest of the service, all of one tenant. The engine of loops knows nothing else of it. */
export interface LoopParts {
  runs: Pick<Runs, 'create' | 'get' | 'pause' | 'resume' | 'cancel'>
  datasets: LoopDatasets
  trainings: LoopTrainings
  models: LoopModels
  servers: LoopServers
  reports: Pick<Reports, 'compare' | 'success'>
  tasks: LoopTasks
  /** @throws EspalierError as `Runs.create` does for a request that cannot be played */
  estimate(request: RunRequest): Promise<RunEstimate>
  /** Whether an endpoint, by its name, is a simulated one. */
  isSimulated(endpoint: string): boolean | Promise<boolean>
  /** @throws EspalierError `unknown_endpoint`, naming `param` */
  checkEndpoint(choice: { endpoint: string }, param: string): void | Promise<void>
}

export interface LoopDatasets {
  create(request: DatasetRequest, options: { idempotencyKey: string }): Promise<Dataset>
  /** @throws EspalierError `not_found` */
  get(dataset: string): Promise<Dataset>
  /** Where each row of a dataset that has succeeded comes from, in all of its splits. */
  lineage(dataset: string): AsyncIterable<LineageRow>
}

export interface LoopTrainings {
  /** @throws EspalierError naming the field of a training that its trainer will refuse */
  checkPlanned(planned: PlannedTraining): Promise<void>
  create(request: TrainingRequest, options: { idempotencyKey: string }): Promise<Training>
  /** @throws EspalierError `not_found` */
  get(training: string): Promise<Training>
  pause(training: string): Promise<Training>
  cancel(training: string): Promise<Training>
  resume(training: string, change: { limits?: { cost?: number; time?: number } }): Promise<Training>
  /**
   * Registers the weights of a checkpoint as a model. Once per step.
   *
   * @returns the registered model's id
   */
  registerCheckpoint(training: string, step: number): Promise<string>
}

export interface LoopModels {
  /** @throws EspalierError `not_found` */
  get(model: string): Promise<{ id: string; name: string; datasets: readonly string[] }>
  /** The datasets that the model and those that it was trained from learned. @throws EspalierError `not_found` */
  learned(model: string): Promise<string[]>
}

export interface LoopServers {
  /** Makes the model an endpoint, again too. @returns the endpoint's name */
  serve(model: string): Promise<string>
  stop(model: string): Promise<void>
}

/** A task as a selection finds it. */
export interface LoopTask {
  id: string
  split: string
}

/**
 * The tasks that a selection names, over the data that a run would play.
 *
 * @returns `data`: that data, to be named in every run of the loop; undefined where the environment has none
 * @throws EspalierError `unknown_environment`, `unknown_task`
 */
export type LoopTasks = (
  request: {
    environment: string
    data?: string | undefined
    environment_options?: RunRequest['environment_options']
  },
  selection: TaskSelection,
) => Promise<{ data: string | undefined; tasks: LoopTask[] }>
