import type { z } from 'zod'
import { type Episode, episodeId, episodeIndex } from '../../core/contracts/episode.ts'
import { EspalierError } from '../../core/contracts/errors.ts'
import { type List, type ListQuery, toList } from '../../core/contracts/list.ts'
import type {
  GroupEvent,
  GroupRows,
  groupMemberSchema,
  missingReasonSchema,
  PolicyChangeRequest,
  RolloutGroup,
  RolloutRequest,
  RolloutRun,
} from '../../core/contracts/rollout.ts'
import type { EpisodeCredit, GroupFigures, RolloutFigures } from '../../core/contracts/rollout-figures.ts'
import type { Run, RunRequest } from '../../core/contracts/run.ts'
import type { Runs } from '../../core/engine/runs/runs.ts'
import type { Attempts } from '../../data/datasets/attempts.ts'
import { GroupFold } from './fold-groups.ts'
import { type Rollouts, rolloutOfRun, runOfRollout } from './rollouts.ts'

export interface RolloutNeeds {
  runs: Pick<Runs, 'create' | 'get' | 'list' | 'cancel' | 'changePolicy' | 'events' | 'episodes'>
  attempts: Attempts
  folds: GroupFolds
}

type Begun = Run & Required<Pick<Run, 'rollout'>>
type Member = z.infer<typeof groupMemberSchema>

const eventsAtOnce = 500
const foldsKept = 64

export class GroupFolds {
  readonly #kept = new Map<string, GroupFold>()

  of({ id, rollout }: Begun): GroupFold {
    const fold = this.#kept.get(id) ?? new GroupFold(rollout.group_size)
    this.#kept.delete(id)
    this.#kept.set(id, fold)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > foldsKept && oldest !== undefined) this.#kept.delete(oldest)
    return fold
  }
}

export function openRollouts({ attempts, folds, runs }: RolloutNeeds): Rollouts {
  async function find(rollout: string): Promise<Begun> {
    const run = await runs.get(runOfRollout(rollout)).catch((error: unknown) => {
      if (EspalierError.isInstance(error) && error.code === 'not_found') return null
      throw error
    })
    if (run !== null && isRollout(run) && rolloutOfRun(run.id) === rollout) return run
    throw new EspalierError('not_found', `There is no rollout with the id "${rollout}".`, {
      param: 'rollout',
    })
  }

  /** Positions of the groups that the stream has. Reads the events that came since the last call. */
  async function finishedOf(run: Begun): Promise<{ groups: readonly number[]; complete: number }> {
    const fold = folds.of(run)
    for (let more = true; more; ) {
      const events = await runs.events(run.id, { after: fold.after, limit: eventsAtOnce })
      // Another reader of this process may have been faster.
      for (const event of events) if (event.sequence > fold.after) fold.add(event)
      more = events.length === eventsAtOnce
    }
    const groups = run.status === 'cancelled' ? [...fold.finished, ...fold.cutOff()] : fold.finished
    return { groups, complete: fold.complete }
  }

  async function figuresOf(run: Begun, index: number, sequence: number): Promise<GroupFigures> {
    const fold = folds.of(run)
    const known = fold.figures.get(index)
    if (known !== undefined) return known
    const group = await readGroup(run, index)
    const { openMembers } = await import('./group-rows.ts')
    const { figuresOfGroup, policyRecords } = await import('./group-figures.ts')
    const task = run.request.record === 'tokens' ? await openMembers(attempts, run.id, group) : null
    const records = await Promise.all((task?.attempts ?? []).map(policyRecords))
    const found = figuresOfGroup(group, {
      ...run.rollout,
      records: records.flat(),
      sequence,
      ended_at: fold.endedAt(index),
    })
    fold.figures.set(index, found)
    return found
  }

  async function show(run: Begun): Promise<RolloutRun> {
    const { groups, complete } = await finishedOf(run)
    const { created_at, ended_at, episodes, rollout, status, status_reason, usage } = run
    const { group_size, version } = rollout
    return {
      id: rolloutOfRun(run.id),
      object: 'rollout',
      run: run.id,
      status,
      status_reason,
      created_at,
      ended_at,
      version,
      group_size,
      in_flight: run.request.max_parallel,
      groups: { total: episodes.total / group_size, finished: groups.length, complete },
      episodes,
      usage,
    }
  }

  const shown = async (run: Run) => show(run as Begun)

  async function readGroup(run: Begun, index: number): Promise<RolloutGroup> {
    const size = run.rollout.group_size
    const after = index === 0 ? {} : { after: episodeId(index * size - 1) }
    const { data } = await runs.episodes(run.id, { limit: size, ...after })
    if (data.every((episode) => isOver(episode))) return rolloutGroupOf(rolloutOfRun(run.id), index, data)
    throw new EspalierError(
      'invalid_state',
      `The group ${index} is still played. Follow the events of the rollout: they say when it has ended.`,
      { param: 'group' },
    )
  }

  return {
    async create(request, { idempotencyKey } = {}) {
      const { readCredit } = await import('./group-rows.ts')
      readCredit(request.credit)
      const { group_size, version, credit } = request
      const options = idempotencyKey === undefined ? {} : { idempotencyKey: `rollout/${idempotencyKey}` }
      return shown(
        await runs.create(toRunRequest(request), { ...options, rollout: { group_size, version, credit } }),
      )
    },
    get: async (rollout) => show(await find(rollout)),
    async list({ after, ...query }: ListQuery): Promise<List<RolloutRun>> {
      const from = after === undefined ? {} : { after: runOfRollout(after) }
      const page = await runs.list({ ...query, ...from, rollouts: true })
      const listed = toList(await Promise.all(page.data.map(shown)), page.has_more)
      return { ...listed, last_id: page.last_id === null ? null : rolloutOfRun(page.last_id) }
    },
    async cancel(rollout) {
      const { id } = await find(rollout)
      return shown(await runs.cancel(id))
    },
    async changePolicy(rollout, { model, version }: PolicyChangeRequest) {
      const { id, request } = await find(rollout)
      const { endpoint = request.model.endpoint, id: name = request.model.id } = model
      return shown(await runs.changePolicy(id, { version, model: { ...request.model, endpoint, id: name } }))
    },
    async groups(rollout, { after, limit }): Promise<GroupEvent[]> {
      const run = await find(rollout)
      const { groups } = await finishedOf(run)
      const events: GroupEvent[] = []
      for (const [place, index] of groups.slice(after, after + limit).entries())
        events.push({
          type: 'group.finished',
          sequence: after + place + 1,
          group: await readGroup(run, index),
        })
      return events
    },
    async group(rollout, index, form): Promise<GroupRows> {
      const run = await find(rollout)
      const { credit, group_size } = run.rollout
      const total = run.episodes.total / group_size
      if (index >= total)
        throw new EspalierError('not_found', `The rollout has the groups 0 to ${total - 1}.`, {
          param: 'group',
        })
      const group = await readGroup(run, index)
      const { rowsOfGroup } = await import('./group-rows.ts')
      return rowsOfGroup(attempts, { run: run.id, group, credit, form })
    },
    async figures(rollout, { limit }): Promise<RolloutFigures> {
      const run = await find(rollout)
      const finished = (await finishedOf(run)).groups
      const begin = Math.max(0, finished.length - limit)
      const groups: GroupFigures[] = []
      // One after the other: a group's members are read at once.
      for (const [place, index] of finished.slice(begin).entries())
        groups.push(await figuresOf(run, index, begin + place + 1))
      const { meansOfGroups } = await import('./group-figures.ts')
      const seconds = run.running_seconds
      return {
        object: 'rollout_figures',
        rollout: rolloutOfRun(run.id),
        groups,
        ...meansOfGroups(groups),
        tokens_per_second: seconds === 0 ? null : run.usage.output_tokens / seconds,
      }
    },
    async credit(id, episode): Promise<EpisodeCredit> {
      const run = await runs.get(id)
      const index = episodeIndex(episode)
      const of =
        isRollout(run) && index !== null && index < run.episodes.total
          ? await readGroup(run, Math.floor(index / run.rollout.group_size))
          : null
      const { creditOfEpisode } = await import('./episode-credit.ts')
      const group = of && isRollout(run) ? { of, credit: run.rollout.credit } : null
      return creditOfEpisode(attempts, { run: id, episode, group })
    },
  }
}

function isRollout(run: Run): run is Begun {
  return run.rollout !== undefined
}

function isOver({ status }: Episode): boolean {
  return status !== 'queued' && status !== 'running'
}

/** @param episodes - all of the group, in order, each ended or cancelled */
export function rolloutGroupOf(rollout: string, index: number, episodes: readonly Episode[]): RolloutGroup {
  const members = episodes.map(memberOf)
  const rewards = members.flatMap(({ reward }) => reward ?? [])
  const [first = 0] = rewards
  // Exact for equal rewards, whose sum would be rounded.
  const mean = first + rewards.reduce((sum, reward) => sum + (reward - first), 0) / rewards.length
  const variance = rewards.reduce((sum, reward) => sum + (reward - mean) ** 2, 0) / rewards.length
  return {
    object: 'rollout_group',
    rollout,
    index,
    task: episodes[0]?.task ?? '',
    status: rewards.length === members.length ? 'complete' : 'incomplete',
    members,
    versions: [...new Set(members.flatMap(({ version }) => version ?? []))],
    rewards: rewards.length === 0 ? null : { mean, std: Math.sqrt(variance) },
    flat: new Set(rewards).size <= 1,
  }
}

function memberOf({ id, policy, result, status }: Episode): Member {
  const reward = result?.reward ?? null
  const missing = reward === null ? whyMissing(status, result?.limit ?? null) : null
  const detail = result?.error?.message ?? (missing === null ? null : (result?.limit ?? null))
  return { episode: id, reward, missing, detail, version: policy ?? null }
}

function whyMissing(status: Episode['status'], limit: string | null): z.infer<typeof missingReasonSchema> {
  if (status === 'errored') return 'errored'
  if (status === 'limited') return limit === 'time' ? 'timed_out' : 'cut'
  if (status === 'cancelled') return 'cancelled'
  // An episode that ended without a reward plays no task, and rollouts have none.
  throw new Error(`An episode of a finished group is ${status} and has no reward.`)
}

function toRunRequest(request: RolloutRequest): RunRequest {
  const { credit: _, group_size, in_flight, timeout, version: __, ...rest } = request
  const { episode_limits } = rest
  const time = Math.min(timeout ?? Number.POSITIVE_INFINITY, episode_limits.time ?? Number.POSITIVE_INFINITY)
  return {
    ...rest,
    epochs: group_size,
    max_parallel: in_flight,
    episode_limits: { ...episode_limits, ...(Number.isFinite(time) && { time }) },
  }
}
