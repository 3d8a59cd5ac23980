import type { Dataset, DatasetRequest, LineageRow } from '../../core/contracts/dataset.ts'
import type { RunEstimate } from '../../core/contracts/estimate.ts'
import type { RunRequest, TaskSelection } from '../../core/contracts/run.ts'
import type { PlannedTraining, Training, TrainingRequest } from '../../core/contracts/training.ts'
import type { Runs } from '../../core/engine/runs/runs.ts'
import type { Reports } from '../../insight/reports/open-reports.ts'

export interface LoopPorts {
  runs: Pick<Runs, 'create' | 'get' | 'pause' | 'resume' | 'cancel'>
  datasets: LoopDatasets
  trainings: LoopTrainings
  models: LoopModels
  servers: LoopServers
  reports: Pick<Reports, 'compare' | 'success'>
  tasks: LoopTasks
  estimate(request: RunRequest): Promise<RunEstimate>
  isSimulated(endpoint: string): boolean | Promise<boolean>
  /** @throws EspalierError `unknown_endpoint`, naming `param` */
  checkEndpoint(choice: { endpoint: string }, param: string): void | Promise<void>
}

export interface LoopDatasets {
  create(request: DatasetRequest, options: { idempotencyKey: string }): Promise<Dataset>
  get(dataset: string): Promise<Dataset>
  lineage(dataset: string): AsyncIterable<LineageRow>
}

export interface LoopTrainings {
  checkPlanned(planned: PlannedTraining): Promise<void>
  create(request: TrainingRequest, options: { idempotencyKey: string }): Promise<Training>
  get(training: string): Promise<Training>
  pause(training: string): Promise<Training>
  cancel(training: string): Promise<Training>
  resume(training: string, change: { limits?: { cost?: number; time?: number } }): Promise<Training>
  registerCheckpoint(training: string, step: number): Promise<string>
}

export interface LoopModels {
  get(model: string): Promise<{ id: string; name: string; datasets: readonly string[] }>
  /** The datasets learned by the model and by its ancestors. @throws EspalierError `not_found` */
  learned(model: string): Promise<string[]>
}

export interface LoopServers {
  /** Serves the model at an endpoint. Idempotent. @returns the endpoint's name */
  serve(model: string): Promise<string>
  stop(model: string): Promise<void>
}

export interface LoopTask {
  id: string
  split: string
}

/**
 * Finds the tasks of a selection over the data that a run would play.
 *
 * @returns `data`: that data, for every run of the loop; undefined if the environment has none. `formOf`: a task's
 * form without the names of its objects, if the environment has forms
 * @throws EspalierError `unknown_environment`, `unknown_task`
 */
export type LoopTasks = (
  request: {
    environment: string
    data?: string | undefined
    environment_options?: RunRequest['environment_options']
  },
  selection: TaskSelection,
) => Promise<{ data: string | undefined; tasks: LoopTask[]; formOf?: (task: string) => Promise<string> }>
