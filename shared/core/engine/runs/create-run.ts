import { hash } from 'node:crypto'
import { EspalierError } from '../../contracts/errors.ts'
import type { GroupSettings } from '../../contracts/group-settings.ts'
import { idempotencyEnd } from '../../contracts/idempotency.ts'
import { toNano } from '../../contracts/money.ts'
import type { RunRequest } from '../../contracts/run.ts'
import type { LedgerKey, World } from '../../world/ports.ts'
import { newIdentifier } from '../identifiers.ts'
import { ledgerKeys } from '../keys.ts'
import { experimentKey } from '../labels/label-ledger.ts'
import { checkReads } from '../memories/check-reads.ts'
import { learnedIdOf } from '../memories/learned-id.ts'
import { learnedItem, learnedKey } from '../memories/learned-row.ts'
import { explainUnpriced } from '../spending/caps.ts'
import { newLeases } from '../spending/run-leases.ts'
import { readTenant } from '../spending/tenant-row.ts'
import type { RunDefinitions } from './run-definition.ts'
import type { RunPlan, RunSettings } from './run-planner.ts'
import type { RunRow } from './run-row.ts'

export interface CreateRunOptions {
  idempotencyKey?: string
  /** The id of a run of which there can be only one. @default a new one */
  id?: string
  rollout?: GroupSettings
}

/**
 * Stores a tenant's run: its definition and tasks first, then, in one step, its item, its key in the tenant's list,
 * its first event and its idempotency key. A crash in between leaves no run.
 * @returns the id of the run; of the earlier one if the key came before with the same request, or the id exists
 */
export async function createRun(
  { world, definitions, tenant }: { world: World; definitions: RunDefinitions; tenant: string },
  request: RunRequest,
  plan: () => Promise<RunPlan>,
  { idempotencyKey, id: given, rollout: asked }: CreateRunOptions = {},
): Promise<string> {
  const fingerprint = hash('sha256', JSON.stringify(asked ? { ...request, rollout: asked } : request))
  const keyItem = idempotencyKey === undefined ? null : ledgerKeys.idempotency(tenant, idempotencyKey)
  const earlier = keyItem === null ? null : await findEarlier(world, keyItem, fingerprint)
  if (earlier !== null) return earlier
  if (given !== undefined && (await world.ledger.get(ledgerKeys.run(given)))) return given
  const planned = await plan()
  await checkPlan({ world, definitions, tenant }, planned)
  const now = world.clock.now()
  const id = given ?? newIdentifier('run', now)
  const { learning = [], rollout, round_size = null } = planned
  await definitions.storeTasks(id, planned.tasks)
  await definitions.storeLearning(id, {
    episodes: learning,
    round_size,
    ...(rollout && { group_size: rollout.group_size }),
  })
  const edition = await definitions.store({ id, revision: 1, ...settingsOf(planned) })
  const row = {
    ...newRunRow({ id, tenant, edition }, planned, now),
    ...(idempotencyKey !== undefined && { idempotency_key: idempotencyKey }),
  }
  const { experiment } = planned.request
  const created_at = new Date(now).toISOString()
  const stored = await world.ledger.transact([
    { key: ledgerKeys.run(id), set: row, if: [{ is: 'absent' }] },
    { key: ledgerKeys.tenantRun(tenant, id), set: { created_at } },
    ...(experiment === undefined
      ? []
      : [{ key: experimentKey({ kind: 'runs', id, tenant }, experiment), set: { id } }]),
    ...(planned.writes ?? []).map((kind) => ({
      key: learnedKey(kind, tenant, learnedIdOf(kind, id)),
      set: learnedItem(id, planned.request, created_at),
    })),
    { key: ledgerKeys.openRun(id), set: { created_at } },
    newLeases(id, row.revision),
    {
      key: ledgerKeys.event(id, 1),
      set: { type: 'run.status', sequence: 1, created_at, status: 'queued', reason: null },
    },
    ...(keyItem === null
      ? []
      : [
          {
            key: keyItem,
            set: { run: id, fingerprint },
            expires_at: idempotencyEnd(now),
            if: [{ is: 'absent' as const }],
          },
        ]),
  ])
  if (stored.ok) {
    await definitions.publish(row)
    return id
  }
  return createRun({ world, definitions, tenant }, request, plan, {
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(given !== undefined && { id: given }),
    ...(asked && { rollout: asked }),
  })
}

/**
 * Checks the planned run against the tenant's data, of which a planner knows nothing.
 * @throws EspalierError `unpriced_endpoint` under a limit on cost; as `checkReads` does
 */
export async function checkPlan(
  owned: { world: World; definitions: RunDefinitions; tenant: string },
  planned: RunPlan,
): Promise<void> {
  await refuseUncapped(owned.world, { ...planned, tenant: owned.tenant }, planned.request)
  await checkReads(owned, planned)
}

async function findEarlier(world: World, key: LedgerKey, fingerprint: string): Promise<string | null> {
  const earlier = await world.ledger.get(key)
  if (earlier && (await isDeleted(world, String(earlier.run)))) {
    // Runs of earlier versions do not know their keys, which stay when they are deleted.
    await world.ledger.update({
      key,
      delete: true,
      if: [{ is: 'equal', attribute: 'run', value: String(earlier.run) }],
    })
    return null
  }
  if (earlier && earlier.fingerprint !== fingerprint) {
    throw new EspalierError(
      'idempotency_key_reused',
      `The Idempotency-Key "${key.sort}" came before with another request, which made the run ${earlier.run}. Use a new key for a new request.`,
      { param: 'Idempotency-Key' },
    )
  }
  return earlier ? String(earlier.run) : null
}

async function isDeleted({ ledger }: World, run: string): Promise<boolean> {
  const item = await ledger.get(ledgerKeys.run(run))
  return item === null || item.deleting === true
}

/** @throws EspalierError `unpriced_endpoint` if the tenant's money is limited and the cost of the run is unknown */
export async function refuseUncapped(
  { ledger }: Pick<World, 'ledger'>,
  { tenant, priced }: Pick<RunRow, 'tenant' | 'priced'>,
  { model }: Pick<RunRequest, 'model'>,
): Promise<void> {
  if (priced || (await readTenant(ledger, tenant)).cap_cost === null) return
  throw new EspalierError(
    'unpriced_endpoint',
    explainUnpriced(tenant, `: "${model.endpoint}" or one of its roles`),
    { param: 'model.endpoint' },
  )
}

function newRunRow(
  { id, tenant, edition }: Pick<RunRow, 'id' | 'tenant' | 'edition'>,
  {
    request,
    tasks,
    priced,
    learning = [],
    round_size = null,
    writes = [],
    live = false,
    purpose = 'play',
    provenance,
  }: RunPlan,
  now: number,
): RunRow {
  const total = learning.length + tasks.length * request.epochs
  return {
    id,
    tenant,
    status: 'queued',
    reason: null,
    created_at: now,
    started_at: null,
    ended_at: null,
    running_since: null,
    running_milliseconds: 0,
    sequence: 1,
    revision: 1,
    edition,
    max_parallel: request.max_parallel,
    total,
    learning: learning.length,
    learned: 0,
    round_size,
    writes,
    live,
    purpose,
    generation: 1,
    work: 'all',
    work_total: total,
    cursor: 0,
    done: 0,
    answers: null,
    answers_checked: false,
    ...capsOf(request),
    priced,
    provenance: provenance ?? null,
    preflight: null,
    last_problem: null,
    succeeded: 0,
    failed: 0,
    limited: 0,
    errored: 0,
    cancelled: 0,
  }
}

export function settingsOf({ request, resolved, rollout }: RunSettings): RunSettings {
  return { request, ...(resolved && { resolved }), ...(rollout && { rollout }) }
}

export function capsOf({
  limits,
}: Pick<RunRequest, 'limits'>): Pick<RunRow, 'cap_cost' | 'cap_tokens' | 'cap_time'> {
  return {
    cap_cost: limits.cost === undefined ? null : toNano(limits.cost),
    cap_tokens: limits.tokens ?? null,
    cap_time: limits.time === undefined ? null : limits.time * 1000,
  }
}
