import { EspalierError } from '../../contracts/errors.ts'
import type { GroupSettings } from '../../contracts/group-settings.ts'
import type { RunRequest } from '../../contracts/run.ts'
import type { World } from '../../world/ports.ts'
import { withRevision } from '../spending/run-leases.ts'
import { refuseUncapped, settingsOf } from './create-run.ts'
import type { RunDefinitions } from './run-definition.ts'
import type { RunPlan, RunPlanner } from './run-planner.ts'
import { isFinal, type RunRow } from './run-row.ts'
import type { RunStore } from './run-store.ts'

export interface PolicyChange {
  version: string
  model: RunRequest['model']
}

/** @throws EspalierError `invalid_request` for a method whose episodes learn from each other */
export function withRollout(plan: RunPlan, rollout: GroupSettings): RunPlan {
  const { learning = [], round_size = null, writes = [] } = plan
  if (learning.length > 0 || round_size !== null || writes.length > 0) {
    throw new EspalierError(
      'invalid_request',
      `Episodes of "${plan.request.method.id}" learn from each other, so that a group has no equal members. Choose a method without a memory or a library, such as "react" or "fork-rollouts".`,
      { param: 'method.id' },
    )
  }
  return { ...plan, rollout }
}

/** @throws EspalierError `invalid_state` for the run of a rollout: a delivered group does not change */
export function refusePlayedOn({ id }: RunRow): never {
  throw new EspalierError(
    'invalid_state',
    `The run ${id} is a rollout, whose groups were delivered as they ended. Begin another rollout with these tasks.`,
    { param: 'run' },
  )
}

/**
 * Stores an edition of the run whose model is the new policy. An episode takes its policy from the edition of its
 * first claim, and keeps it.
 * @returns the changed row; null if this policy is the newest already
 * @throws EspalierError `invalid_state`, `conflict`; as the planner does for the model, and `refuseUncapped`
 */
export async function changePolicy(
  {
    definitions,
    planner,
    store,
    world: { clock, ledger },
  }: {
    definitions: RunDefinitions
    planner: RunPlanner
    store: RunStore
    world: Pick<World, 'clock' | 'ledger'>
  },
  row: RunRow,
  { model, version }: PolicyChange,
): Promise<RunRow | null> {
  const definition = await definitions.get(row)
  const { request, rollout } = definition
  if (rollout === undefined)
    throw invalidState(row, 'is no rollout, so it has one model. Begin a rollout to change policies.')
  const { request: planned, priced } = await planner.plan({ ...request, model }, row.tenant)
  const isSameModel = JSON.stringify(planned.model) === JSON.stringify(request.model)
  if (isSameModel && version === rollout.version) return null
  if (isFinal(row.status))
    throw invalidState(row, `is ${row.status} and begins no episode. Begin another rollout.`)
  await refuseUncapped({ ledger }, { ...row, priced }, planned)
  const revision = row.revision + 1
  const changed = {
    ...definition,
    request: { ...request, model: planned.model },
    rollout: version === rollout.version ? rollout : announce(rollout, version, row.created_at, clock.now()),
  }
  const edition = await definitions.store({ id: row.id, revision, ...settingsOf(changed) })
  return store.change(row.id, (now) => {
    if (now.revision !== row.revision || isFinal(now.status))
      throw invalidState(now, 'was changed by another request at the same time. Send this one again.')
    const probed = isSameModel ? {} : { preflight: null }
    const set = { revision, edition, priced: now.priced && priced, ...probed }
    return { set, others: withRevision(now, revision) }
  })
}

function announce(rollout: GroupSettings, version: string, begun: number, now: number): GroupSettings {
  const { policies = [{ version: rollout.version, announced_at: new Date(begun).toISOString() }] } = rollout
  const announced_at = new Date(now).toISOString()
  return { ...rollout, version, policies: [...policies, { version, announced_at }] }
}

function invalidState({ id }: RunRow, problem: string): EspalierError {
  return new EspalierError('invalid_state', `The run ${id} ${problem}`, { param: 'run' })
}
