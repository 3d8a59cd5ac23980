import type { List, ListQuery } from '../../core/contracts/list.ts'
import type {
  PlannedTraining,
  ResumeTraining,
  Training,
  TrainingPoint,
  TrainingRequest,
} from '../../core/contracts/training.ts'
import type { JobConsumerHandler } from '../../core/engine/jobs/job-messages.ts'

export interface Trainings {
  /**
   * Creates a training and returns immediately. The queue carries it out.
   * @throws EspalierError, each with the field of the request: `not_found` for an unknown dataset, registered base or
   * trainer; `invalid_state` for a dataset that has not succeeded; `invalid_request` for hyperparameters that are not
   * the recipe's, a dataset whose kind or format the trainer cannot read for the recipe, a base that the trainer
   * cannot use, and a dataset (of this training or of the base's own) with tasks held out for evaluation;
   * `idempotency_key_reused` when the key came before with another request. With the same key and request, it returns
   * the first call's training.
   */
  create(request: TrainingRequest, options?: { idempotencyKey?: string }): Promise<Training>
  /**
   * Checks a training before its dataset exists.
   * @throws EspalierError as `create` does, naming the field
   */
  checkPlanned(planned: PlannedTraining): Promise<void>
  /** @throws EspalierError `not_found` */
  get(training: string): Promise<Training>
  list(query: ListQuery): Promise<List<Training>>
  /**
   * Ends it for good and stops its trainer. Nothing is registered.
   * @throws EspalierError `not_found`; `invalid_state` for one that has ended otherwise
   */
  cancel(training: string): Promise<Training>
  /**
   * Stops it at a checkpoint, to be resumed.
   * @throws EspalierError `not_found`; `invalid_state` for one that has ended
   */
  pause(training: string): Promise<Training>
  /**
   * Resumes a paused or failed one from its last checkpoint. Does nothing for a running one.
   * @throws EspalierError `not_found`; `invalid_state` for one that has succeeded or was cancelled, and for one whose
   * caps are used up and not raised
   */
  resume(training: string, change?: ResumeTraining): Promise<Training>
  /**
   * Every logged step, in order.
   * @throws EspalierError `not_found`
   */
  metrics(training: string): Promise<TrainingPoint[]>
  /**
   * Registers the weights of a checkpoint as a separate model, to be compared with others. Once per step. An adapter
   * is merged into its base, unless the training creates adapters.
   * @returns the registered model's id
   * @throws EspalierError `not_found`; `invalid_state` while it runs; `not_supported` for an adapter that its trainer
   * cannot merge
   */
  registerCheckpoint(training: string, step: number): Promise<string>
}

export interface TenantTrainings {
  /**
   * One tenant's trainings. Those of others are `not_found`.
   * @throws EspalierError `invalid_request` for an invalid tenant name
   */
  of(tenant: string): Trainings
  readonly handler: JobConsumerHandler
}
