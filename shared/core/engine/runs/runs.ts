import type { Episode, EpisodeFilter } from '../../contracts/episode.ts'
import type { GroupSettings } from '../../contracts/group-settings.ts'
import type { Experiment, LabelChange } from '../../contracts/labels.ts'
import type { List, ListQuery } from '../../contracts/list.ts'
import type { ExtendRequest, ResumeRequest, Run, RunFilter, RunRequest } from '../../contracts/run.ts'
import type { RunEvent } from '../../contracts/run-event.ts'
import type { TokenRecord } from '../../contracts/token-record.ts'
import type { JournalRecord } from '../journal-record.ts'
import type { RunPlan } from './run-planner.ts'

export interface TenantRuns {
  /**
   * One tenant's runs. Those of others are `not_found`, as if they did not exist.
   * @throws EspalierError `invalid_request` for an invalid tenant name
   */
  of(tenant: string): Runs
}

/**
 * A tenant's runs: the operations of the HTTP API, without HTTP. Every call either completes or throws an
 * EspalierError and changes nothing: `not_found` for an unknown run or episode (with `param`), `invalid_state` if the
 * run's status does not allow it.
 */
export interface Runs {
  /**
   * Starts a run and returns immediately, however many episodes it has.
   * @throws EspalierError `unknown_environment`, `unknown_task`, `unknown_method`, `invalid_request`,
   * `unknown_endpoint`, `unpriced_endpoint`; `idempotency_key_reused` if the key came before with another request.
   * The same key and request return the first call's run.
   */
  create(request: RunRequest, options?: { idempotencyKey?: string; rollout?: GroupSettings }): Promise<Run>
  /**
   * Gives a rollout's new episodes another version of its policy. Episodes that began keep theirs.
   * @throws EspalierError as `create` does for a model; `invalid_state` for an ended run, or one that is no rollout
   */
  changePolicy(run: string, policy: { version: string; model: RunRequest['model'] }): Promise<Run>
  /**
   * The plan that `create` would play, without storing anything.
   * @throws EspalierError as `create` does without a key
   */
  plan(request: RunRequest): Promise<RunPlan>
  /**
   * Starts the run that asks a model about episodes for a dataset or a scoring: listed, paid for, capped, paused and
   * resumed like any other, and started once however often it is requested.
   * @param asking - the id of the dataset or the scoring
   * @param request - its `model` is asked, and its `method` names the question
   * @param episodes - `{source}/{episode}` each: the tasks of the run's episodes, in this order
   * @throws EspalierError `unknown_endpoint`, `unpriced_endpoint`
   */
  annotate(asking: string, request: RunRequest, episodes: string[]): Promise<Run>
  get(run: string): Promise<Run>
  list(query: ListQuery & RunFilter): Promise<List<Run>>
  /** Stops the run at its episodes' next uncommitted effect. Pausing a paused run changes nothing. */
  pause(run: string): Promise<Run>
  /**
   * Resumes a paused run, optionally with other caps.
   * @throws EspalierError `invalid_request` if a cap is already exhausted, with the cap as `param`
   */
  resume(run: string, request: ResumeRequest): Promise<Run>
  /**
   * Ends the run permanently. Episodes that never ended become `cancelled`. Episodes of {@link extend} or {@link
   * retry} without a new end keep their earlier one.
   */
  cancel(run: string): Promise<Run>
  /**
   * Continues every episode of an ended run from its journal, with more budget. Until an episode ends again, its
   * earlier result, tree, trajectory and journal stay readable.
   */
  extend(run: string, request: ExtendRequest): Promise<Run>
  /** Plays the `errored` episodes of an ended run again; each keeps its error as its result until its new end. */
  retry(run: string): Promise<Run>
  label(run: string, change: LabelChange): Promise<Run>
  /**
   * Deletes an ended run with all its data, except pictures, which others may share. It disappears immediately; the
   * sweeper removes data too large for one request. It does not check for references to the run.
   */
  delete(run: string): Promise<void>
  experiments(query: ListQuery): Promise<List<Experiment>>
  /**
   * By index unless another order is requested. A page continues after the present position of the episode `after`,
   * even if that does not pass the filters. Any other order than the index reads the whole run for each page.
   */
  episodes(run: string, query: ListQuery & Partial<EpisodeFilter>): Promise<List<Episode>>
  episode(run: string, episode: string): Promise<Episode>
  tree(run: string, episode: string): Promise<StoredOrLive>
  trajectory(run: string, episode: string): Promise<StoredOrLive>
  /**
   * All requests and answers of the episode, in delivery order; empty before its first commit. For an ended episode
   * being continued, up to its end.
   */
  journal(run: string, episode: string): Promise<JournalRecord[]>
  tokens(run: string, episode: string): Promise<TokenRecord[]>
  events(run: string, query: { after: number; limit: number }): Promise<RunEvent[]>
}

export type StoredOrLive = { stored: string } | { live: unknown }
