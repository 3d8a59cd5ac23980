import type { List, ListQuery } from '../../core/contracts/list.ts'
import type {
  GroupEvent,
  GroupRows,
  PolicyChangeRequest,
  RolloutRequest,
  RolloutRun,
} from '../../core/contracts/rollout.ts'
import type { EpisodeCredit, RolloutFigures } from '../../core/contracts/rollout-figures.ts'

export function rolloutOfRun(run: string): string {
  return run.replace(/^run-/, 'rollout-')
}

export function runOfRollout(rollout: string): string {
  return rollout.replace(/^rollout-/, 'run-')
}

/**
 * A tenant's rollouts: groups of episodes that a learner asked for. Each is a run whose samples of a task follow each
 * other, so that journals, limits, money and recovery are those of runs. Each call throws an EspalierError
 * `not_found` for an unknown rollout.
 */
export interface Rollouts {
  /**
   * Begins a rollout. The same key and request return the first call's.
   * @throws EspalierError as for a run; `invalid_request` for a method whose episodes learn from each other
   */
  create(request: RolloutRequest, options?: { idempotencyKey?: string }): Promise<RolloutRun>
  get(rollout: string): Promise<RolloutRun>
  list(query: ListQuery): Promise<List<RolloutRun>>
  /** Ends it for good. A group that has begun to end is delivered with its missing members. */
  cancel(rollout: string): Promise<RolloutRun>
  /** @throws EspalierError `invalid_state` if it has ended */
  changePolicy(rollout: string, change: PolicyChangeRequest): Promise<RolloutRun>
  /** Finished groups after the sequence number `after`, in the order of the stream. */
  groups(rollout: string, query: { after: number; limit: number }): Promise<GroupEvent[]>
  /** @throws EspalierError `not_found` for a position without a task; `invalid_state` while the group is played */
  group(rollout: string, index: number, form: 'rollouts' | 'rollout-trees'): Promise<GroupRows>
  figures(rollout: string, query: { limit: number }): Promise<RolloutFigures>
  /**
   * Credit of an episode's nodes: of a rollout, once its group has ended; of another run, the entropies alone.
   * @throws EspalierError `not_found`; `invalid_state` while the group is played, or for an end without a verdict
   */
  credit(run: string, episode: string): Promise<EpisodeCredit>
}
