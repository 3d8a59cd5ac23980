import type { Episode, EpisodeFilter } from '../../contracts/episode.ts'
import type { Experiment, LabelChange } from '../../contracts/labels.ts'
import type { List, ListQuery } from '../../contracts/list.ts'
import type { ExtendRequest, ResumeRequest, Run, RunFilter, RunRequest } from '../../contracts/run.ts'
import type { RunEvent } from '../../contracts/run-event.ts'
import type { JournalRecord } from '../journal-record.ts'
import type { RunPlan } from './run-planner.ts'

/** The runs of every tenant. */
export interface TenantRuns {
  /**
   * One tenant's runs. Those of others are `not_found`, as if they were not there.
   *
   * @throws EspalierError `invalid_request` for what is not the name of a tenant
   */
  of(tenant: string): Runs
}

/**
 * The life of a tenant's runs: what the HTTP API offers, without HTTP. Every call either does all of what it says or throws an
 * EspalierError and does nothing: `not_found` for an unknown run or episode (with `param`), `invalid_state` where the
 * run's status does not allow it.
 */
export interface Runs {
  /**
   * Starts a run and answers at once, however many episodes it has.
   *
   * @throws EspalierError `unknown_environment`, `unknown_task`, `unknown_method`, `invalid_request`,
   * `unknown_endpoint`, `unpriced_endpoint`; `idempotency_key_reused` when the key came before with another request.
   * With the same key and request, the run that the first call made is answered.
   */
  create(request: RunRequest, options?: { idempotencyKey?: string }): Promise<Run>
  /**
   * What `create` would play, and nothing is stored.
   *
   * @throws EspalierError as `create` does without a key
   */
  plan(request: RunRequest): Promise<RunPlan>
  /**
   * Starts the run that asks a model about episodes for a dataset or a scoring: listed, paid for, capped, paused and resumed like any other,
   * and started once however often it is asked for.
   *
   * @param asking - the id of the dataset or the scoring
   * @param request - whose `model` is asked; its `method` says what for
   * @param episodes - `{source}/{episode}` each: the tasks of the run's episodes, in this order
   * @throws EspalierError `unknown_endpoint`, `unpriced_endpoint`
   */
  annotate(asking: string, request: RunRequest, episodes: string[]): Promise<Run>
  get(run: string): Promise<Run>
  /** Newest first. With filters, a page can have `has_more` and few runs, or none: see `findRuns`. */
  list(query: ListQuery & RunFilter): Promise<List<Run>>
  /** Stops the run at its episodes' next uncommitted effect. Pausing a paused run changes nothing. */
  pause(run: string): Promise<Run>
  /**
   * Goes on with a paused run, optionally with other caps.
   *
   * @throws EspalierError `invalid_request` where a cap is used up already, with the cap as `param`
   */
  resume(run: string, request: ResumeRequest): Promise<Run>
  /**
   * Ends the run for good. Episodes that never ended become `cancelled`; those that were to be played again, by {@link extend} or
   * {@link retry}, and have not come to a new end stand as they had ended before.
   */
  cancel(run: string): Promise<Run>
  /**
   * Plays every episode of an ended run on, from its journal, with more budget. Until an episode ends anew its earlier result, tree,
   * trajectory and journal are what can be read of it.
   */
  extend(run: string, request: ExtendRequest): Promise<Run>
  /** Plays the `errored` episodes of an ended run again; each keeps its error as its result until it ends anew. */
  retry(run: string): Promise<Run>
  /** Changes what names the run for people: its name, experiment, tags and note, and whether it is archived. */
  label(run: string, change: LabelChange): Promise<Run>
  /**
   * Deletes an ended run with all that is stored of it, pictures left out, which others may share. It is gone at once; what is too
   * much to remove for one request is removed by the sweeper. Whether anything refers to the run is not looked at.
   */
  delete(run: string): Promise<void>
  /** The tenant's experiments, each with how much belongs to it. */
  experiments(query: ListQuery): Promise<List<Experiment>>
  /**
   * In the order of their index unless another is asked for. A page goes on behind where the episode `after` stands in that order
   * now, whether or not it passes the filters. By another order than the index all of the run is looked at for each page.
   */
  episodes(run: string, query: ListQuery & Partial<EpisodeFilter>): Promise<List<Episode>>
  episode(run: string, episode: string): Promise<Episode>
  /** The tree: where that of its last end is stored, else the journal folded as it stands. */
  tree(run: string, episode: string): Promise<StoredOrLive>
  /** The trajectory likewise; `not_found` while the episode has no node beyond its root. */
  trajectory(run: string, episode: string): Promise<StoredOrLive>
  /**
   * All that the episode asked and was answered, in the order of delivery; empty before its first commit. Of one that is played on, up
   * to where it ended.
   */
  journal(run: string, episode: string): Promise<JournalRecord[]>
  /** Events with a sequence greater than `after`, in order. */
  events(run: string, query: { after: number; limit: number }): Promise<RunEvent[]>
}

/** A key of `World.objects`, or the value itself while it still changes. */
export type StoredOrLive = { stored: string } | { live: unknown }
