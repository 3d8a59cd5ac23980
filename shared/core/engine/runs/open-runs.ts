import { EspalierError } from '../../contracts/errors.ts'
import type { Experiment, LabelChange } from '../../contracts/labels.ts'
import type { List, ListQuery } from '../../contracts/list.ts'
import type { LastProblem } from '../../contracts/model-failure.ts'
import type { ExtendRequest, ResumeRequest, Run, RunFilter, RunRequest } from '../../contracts/run.ts'
import type { RunEvent } from '../../contracts/run-event.ts'
import { checkTenant } from '../../contracts/tenant.ts'
import type { TokenRecord } from '../../contracts/token-record.ts'
import type { World } from '../../world/ports.ts'
import { EpisodeList, type EpisodeQuery } from '../episodes/episode-list.ts'
import type { EpisodePrograms } from '../episodes/episode-program.ts'
import type { JournalRecord } from '../journal-record.ts'
import { ledgerKeys } from '../keys.ts'
import { changeLabels, listExperiments } from '../labels/label-ledger.ts'
import { removeAtOnce } from '../remains.ts'
import { resendEpisodes } from '../resend-episodes.ts'
import { withRevision } from '../spending/run-leases.ts'
import { readSpending } from '../spending/spending-row.ts'
import { annotationRunOf } from './annotation-run-of.ts'
import { cancelRun } from './cancel-run.ts'
import type { PolicyChange } from './change-policy.ts'
import {
  type CreateRunOptions,
  capsOf,
  checkPlan,
  createRun,
  refuseUncapped,
  settingsOf,
} from './create-run.ts'
import { hideRun } from './delete-run.ts'
import { endsOf, noEnds } from './earlier-ends.ts'
import { findRuns } from './find-runs.ts'
import { type Moment, momentOf } from './run-clock.ts'
import type { RunDefinitions } from './run-definition.ts'
import { readEvents } from './run-events.ts'
import type { RunPlan, RunPlanner } from './run-planner.ts'
import { isFinal, labelsOfRun, type RunRow, toRun } from './run-row.ts'
import { type RunStore, toStatus, unknownRun } from './run-store.ts'
import type { Runs, StoredOrLive, TenantRuns } from './runs.ts'
import { topUp } from './top-up.ts'

export interface RunsOptions {
  world: World
  store: RunStore
  definitions: RunDefinitions
  planner: RunPlanner
  programs: EpisodePrograms
  storageProblem?: () => LastProblem | null
  onError: (error: unknown, what: string) => void
}

export function openRuns(options: RunsOptions): TenantRuns {
  const episodes = new EpisodeList(options)
  return { of: (tenant) => new WorldRuns(options, episodes, checkTenant(tenant)) }
}

class WorldRuns implements Runs {
  readonly #options: RunsOptions
  readonly #tenant: string
  readonly #episodes: EpisodeList

  constructor(options: RunsOptions, episodes: EpisodeList, tenant: string) {
    this.#options = options
    this.#tenant = tenant
    this.#episodes = episodes
  }

  async create(request: RunRequest, options: Omit<CreateRunOptions, 'id'> = {}): Promise<Run> {
    const { definitions, planner, world } = this.#options
    const owned = { world, definitions, tenant: this.#tenant }
    const plan = async () => {
      const planned = await planner.plan(request, this.#tenant)
      const { rollout } = options
      return rollout ? (await import('./change-policy.ts')).withRollout(planned, rollout) : planned
    }
    const run = await createRun(owned, request, plan, options)
    await this.#queue(run)
    return this.get(run)
  }

  async plan(request: RunRequest): Promise<RunPlan> {
    const { definitions, planner, world } = this.#options
    const planned = await planner.plan(request, this.#tenant)
    await checkPlan({ world, definitions, tenant: this.#tenant }, planned)
    return planned
  }

  async changePolicy(run: string, policy: PolicyChange): Promise<Run> {
    const row = await this.#row(run)
    const { changePolicy } = await import('./change-policy.ts')
    const { edition } = (await changePolicy(this.#options, row, policy)) ?? row
    await this.#options.definitions.publish({ id: run, edition })
    return this.get(run)
  }

  async annotate(asking: string, request: RunRequest, episodes: string[]): Promise<Run> {
    const { definitions, planner, world } = this.#options
    const owned = { world, definitions, tenant: this.#tenant }
    const plan = async () => planner.planAnnotations(request, episodes, this.#tenant)
    const run = await createRun(owned, request, plan, { id: annotationRunOf(asking) })
    await this.#queue(run)
    return this.get(run)
  }

  async get(run: string): Promise<Run> {
    return this.#toRun(await this.#row(run))
  }

  list(query: ListQuery & RunFilter): Promise<List<Run>> {
    const { store, world } = this.#options
    return findRuns(world, this.#tenant, query, async (run) => {
      const row = await store.find(run)
      if (row === null || row.deleting === true) return null
      // The row decides most filters without the definition and the spending.
      return query.status !== undefined && query.status !== row.status ? null : this.#toRun(row)
    })
  }

  async label(run: string, change: LabelChange): Promise<Run> {
    const { definitions, world } = this.#options
    const row = await this.#row(run)
    const { request } = await definitions.get(row)
    const thing = { kind: 'runs', id: run, tenant: this.#tenant, key: ledgerKeys.run(run) } as const
    await changeLabels(world, thing, change, labelsOfRun(row, request))
    return this.get(run)
  }

  async delete(run: string): Promise<void> {
    const { definitions, onError, store, world } = this.#options
    const row = await this.#row(run)
    const { request } = await definitions.get(row)
    await hideRun(store, row, request)
    try {
      await removeAtOnce(world, run)
    } catch (error) {
      onError(error, `removing what is left of ${run}`)
    }
  }

  experiments(query: ListQuery): Promise<List<Experiment>> {
    return listExperiments(this.#options.world.ledger, this.#tenant, query)
  }

  pause(run: string): Promise<Run> {
    return this.#change(run, (row, at) => {
      if (isFinal(row.status)) throw invalidState(row, 'paused')
      return row.status === 'paused' ? null : toStatus(row, 'paused', 'Paused by request.', at)
    })
  }

  async resume(run: string, { limits }: ResumeRequest): Promise<Run> {
    const { definitions, planner, world } = this.#options
    const row = await this.#row(run)
    if (row.status !== 'paused')
      throw invalidState(
        row,
        'resumed; only a paused run can (a running one needs nothing: espalier watch follows it)',
      )
    const definition = await definitions.get(row)
    const request = { ...definition.request, limits: { ...definition.request.limits, ...limits } }
    planner.checkLimits(request)
    refuseReachedCaps(await this.#toRun(row), request.limits)
    await refuseUncapped(world, row, request)
    const revision = row.revision + 1
    const edition = await definitions.store({ id: run, revision, ...settingsOf({ ...definition, request }) })
    await this.#change(run, (now, time) => {
      if (now.status !== 'paused' || now.revision !== row.revision) throw invalidState(now, changedMeanwhile)
      const change = toStatus(now, now.started_at === null ? 'queued' : 'running', null, time)
      const set = { ...change.set, ...capsOf(request), revision, edition, last_problem: null }
      return { ...change, set, others: withRevision(now, revision) }
    })
    await definitions.publish({ id: run, edition })
    await this.#queue(run, () => resendEpisodes(world, run))
    return this.get(run)
  }

  async cancel(run: string): Promise<Run> {
    const { store, world } = this.#options
    await this.#row(run)
    await cancelRun(world, store, run, (row) => {
      throw invalidState(row, 'cancelled')
    })
    return this.get(run)
  }

  async extend(run: string, extension: ExtendRequest): Promise<Run> {
    const { definitions, planner, world } = this.#options
    const row = await this.#row(run)
    if (row.purpose === 'annotate') {
      throw new EspalierError(
        'invalid_state',
        `The run ${run} asks a model about other episodes, and no more: it cannot be extended. Where it paused at a limit, resume it with a higher one; a new dataset, or a new scoring, asks anew.`,
        { param: 'run' },
      )
    }
    if (row.status !== 'succeeded' && row.status !== 'failed') {
      throw invalidState(
        row,
        'extended; only a run that has succeeded or failed can. A paused run is resumed',
      )
    }
    const definition = await definitions.get(row)
    if (definition.rollout) (await import('./change-policy.ts')).refusePlayedOn(row)
    const settings = planner.extend(settingsOf(definition), extension)
    const { request } = settings
    await refuseUncapped(world, row, request)
    const edition = await definitions.store({ id: run, revision: row.revision + 1, ...settings })
    return this.#playAgain(row, {
      ...capsOf(request),
      revision: row.revision + 1,
      edition,
      work: 'all',
      work_total: row.total,
      ...noEnds,
      earlier: endsOf(row),
    })
  }

  async retry(run: string): Promise<Run> {
    const { definitions, world } = this.#options
    const row = await this.#row(run)
    if (row.status !== 'succeeded' && row.status !== 'failed')
      throw invalidState(row, 'retried; only a run that has succeeded or failed can')
    const { request, rollout } = await definitions.get(row)
    if (rollout) (await import('./change-policy.ts')).refusePlayedOn(row)
    const errored = await this.#episodes.indices(run, 'errored')
    if (errored.length === 0) {
      throw new EspalierError(
        'invalid_state',
        `No episode of ${run} ended with an error; there is nothing to retry.`,
        {
          param: 'run',
        },
      )
    }
    await refuseUncapped(world, row, request)
    await definitions.storeWork(run, row.generation + 1, errored)
    return this.#playAgain(row, {
      work: 'listed',
      work_total: errored.length,
      errored: row.errored - errored.length,
      earlier: { ...noEnds, errored: errored.length },
    })
  }

  async episodes(run: string, query: EpisodeQuery) {
    return this.#episodes.list(await this.#row(run), query)
  }

  async episode(run: string, episode: string) {
    return this.#episodes.get(await this.#row(run), episode)
  }

  async tree(run: string, episode: string): Promise<StoredOrLive> {
    return this.#episodes.tree(await this.#row(run), episode)
  }

  async trajectory(run: string, episode: string): Promise<StoredOrLive> {
    return this.#episodes.trajectory(await this.#row(run), episode)
  }

  async journal(run: string, episode: string): Promise<JournalRecord[]> {
    return this.#episodes.journal(await this.#row(run), episode)
  }

  async tokens(run: string, episode: string): Promise<TokenRecord[]> {
    return this.#episodes.tokens(await this.#row(run), episode)
  }

  async events(run: string, { after, limit }: { after: number; limit: number }): Promise<RunEvent[]> {
    await this.#row(run)
    return readEvents(this.#options.world.ledger, run, { after, limit })
  }

  #row(run: string): Promise<RunRow> {
    return this.#options.store.getOf(this.#tenant, run)
  }

  async #playAgain(row: RunRow, set: Partial<RunRow>): Promise<Run> {
    const { definitions, store } = this.#options
    await this.#change(row.id, (now, time) => {
      if (now.generation !== row.generation || now.revision !== row.revision || !isFinal(now.status)) {
        throw invalidState(now, changedMeanwhile)
      }
      const change = toStatus(now, 'running', null, time)
      const open = { key: ledgerKeys.openRun(row.id), set: { reopened_at: time.now } }
      return {
        ...change,
        set: {
          ...change.set,
          ...set,
          generation: row.generation + 1,
          cursor: 0,
          done: 0,
          preflight: null,
          last_problem: null,
          cancelling: false,
        },
        others: [open, ...(set.revision === undefined ? [] : withRevision(now, set.revision))],
      }
    })
    await definitions.publish(await store.get(row.id))
    await this.#queue(row.id)
    return this.get(row.id)
  }

  /**
   * Queues a run's first episodes. If that fails the sweeper does it, and the request still succeeds: after an error
   * response, the client would send it again.
   */
  async #queue(run: string, first: () => Promise<unknown> = async () => undefined): Promise<void> {
    const { definitions, onError, store, world } = this.#options
    try {
      await first()
      await topUp(world, store, definitions, run, chunksAtOnce)
    } catch (error) {
      onError(error, `queueing the episodes of ${run}`)
    }
  }

  async #change(
    run: string,
    decide: (row: RunRow, at: Moment) => ReturnType<Parameters<RunStore['change']>[1]>,
  ): Promise<Run> {
    const { store, world } = this.#options
    await this.#row(run)
    await store.change(run, (row) => {
      if (row.deleting === true) throw unknownRun(run)
      return decide(row, momentOf(world.clock))
    })
    return this.get(run)
  }

  async #toRun(row: RunRow): Promise<Run> {
    const { definitions, planner, world } = this.#options
    const definition = await definitions.get(row)
    const provenance = row.provenance ?? planner.provenanceOf(definition.request)
    const run = toRun(
      row,
      { ...definition, provenance },
      await readSpending(world.ledger, row.id),
      momentOf(world.clock),
    )
    // Storage that takes no writes cannot keep the problem of a run either.
    const problem = isFinal(run.status) ? null : (this.#options.storageProblem?.() ?? null)
    return problem === null ? run : { ...run, last_problem: problem }
  }
}

// Chunks of episodes queued before a request is answered: 500 episodes.
const chunksAtOnce = 2

const changedMeanwhile = 'changed: another request has just changed it. Look at it and try again'

function invalidState(row: RunRow, wanted: string): EspalierError {
  return new EspalierError('invalid_state', `The run ${row.id} is ${row.status} and cannot be ${wanted}.`, {
    param: 'run',
  })
}

/**
 * Refuses to continue a run under an exhausted cap: it would pause again before its next call.
 * @throws EspalierError `invalid_request`, with the cap as `param`
 */
function refuseReachedCaps({ id, usage, running_seconds }: Run, limits: RunRequest['limits']): void {
  const spent = {
    cost: { used: usage.cost ?? 0, word: (amount: number) => `$${amount}` },
    tokens: { used: usage.input_tokens + usage.output_tokens, word: (amount: number) => `${amount} tokens` },
    time: { used: running_seconds, word: (amount: number) => `${amount} seconds` },
  }
  for (const name of ['cost', 'tokens', 'time'] as const) {
    const cap = limits[name]
    const { used, word } = spent[name]
    if (cap === undefined || used < cap) continue
    throw new EspalierError(
      'invalid_request',
      `The run ${id} has already used ${word(used)}, and limits.${name} is ${word(cap)}: it would pause again at once. Resume with a limits.${name} above that.`,
      { param: `limits.${name}` },
    )
  }
}
