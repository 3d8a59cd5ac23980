import type { List, ListQuery } from '../contracts/list.ts'
import type {
  PlannedTraining,
  ResumeTraining,
  Training,
  TrainingPoint,
  TrainingRequest,
} from '../contracts/training.ts'
import type { JobConsumerHandler } from '../jobs/job-messages.ts'

/** A tenant's trainings: what the HTTP API offers, without HTTP. */
export interface Trainings {
  /**
   * Asks for a training and answers at once; it is done from the queue.
   *
   * @throws EspalierError, each with its place in the request: `not_found` for a dataset, registered base or trainer that is
   * not there; `invalid_state` for a dataset that has not succeeded; `invalid_request` for hyperparameters that are not the
   * recipe's, a dataset whose kind or format the trainer cannot read for the recipe, a base that the trainer cannot use, and
   * a dataset (of this training or of the base's own) with tasks that are held out for evaluation;
   * `idempotency_key_reused` when the key came before with another request. With the same key and request, the first
   * call's training is answered.
   */
  create(request: TrainingRequest, options?: { idempotencyKey?: string }): Promise<Training>
  /** Checks a training before its dataset is there. @throws EspalierError as `create` does, naming the field */
  checkPlanned(planned: PlannedTraining): Promise<void>
  /** @throws EspalierError `not_found` */
  get(training: string): Promise<Training>
  /** Newest first. */
  list(query: ListQuery): Promise<List<Training>>
  /**
   * Ends it for good; its trainer is stopped. Nothing is registered.
   *
   * @throws EspalierError `not_found`; `invalid_state` for one that has ended otherwise
   */
  cancel(training: string): Promise<Training>
  /**
   * Stops it at a checkpoint, to be resumed.
   *
   * @throws EspalierError `not_found`; `invalid_state` for one that has ended
   */
  pause(training: string): Promise<Training>
  /**
   * Continues one that is paused or failed, from its last checkpoint. Nothing to do for one that is under way.
   *
   * @throws EspalierError `not_found`; `invalid_state` for one that has succeeded or was cancelled, and for one whose caps
   * are used up and not raised
   */
  resume(training: string, change?: ResumeTraining): Promise<Training>
  /** Every logged step, in order. @throws EspalierError `not_found` */
  metrics(training: string): Promise<TrainingPoint[]>
  /**
   * Registers the weights of a checkpoint as a model of its own, so that it can be compared with others. Once per step. An adapter
   * is added to its base, unless the training makes adapters.
   *
   * @returns the registered model's id
   * @throws EspalierError `not_found`; `invalid_state` while it runs; `not_supported` for an adapter that its trainer cannot add
   */
  registerCheckpoint(training: string, step: number): Promise<string>
}

/** The trainings of every tenant. */
export interface TenantTrainings {
  /**
   * One tenant's trainings. Those of others are `not_found`, as if they were not there.
   *
   * @throws EspalierError `invalid_request` for what is not the name of a tenant
   */
  of(tenant: string): Trainings
  /** How messages `{training}` of the queue `jobs` are worked on: see `startJobConsumer`. */
  readonly handler: JobConsumerHandler
}
