import { hash } from 'node:crypto'
import { EspalierError } from '../../contracts/errors.ts'
import type { RunRequest } from '../../contracts/run.ts'
import type { World } from '../../world/ports.ts'
import { newIdentifier } from '../identifiers.ts'
import { ledgerKeys } from '../keys.ts'
import { toNano } from '../spending/money.ts'
import type { RunDefinitions } from './run-definition.ts'
import type { RunPlan } from './run-planner.ts'
import type { RunRow } from './run-row.ts'

/**
 * Stores a run: its definition and tasks first, then, in one step, its item, its first event and its idempotency key. A
 * kill in between leaves no run.
 *
 * @returns the id of the run; of the earlier one when the key came before with the same request
 */
export async function createRun(
  world: World,
  definitions: RunDefinitions,
  request: RunRequest,
  plan: () => RunPlan,
  idempotencyKey?: string,
): Promise<string> {
  const fingerprint = hash('sha256', JSON.stringify(request))
  const earlier = idempotencyKey === undefined ? null : await findEarlier(world, idempotencyKey, fingerprint)
  if (earlier !== null) return earlier
  const planned = plan()
  const now = world.clock.now()
  const id = newIdentifier('run', now)
  await definitions.storeTasks(id, planned.tasks)
  const edition = await definitions.store({ id, revision: 1, request: planned.request })
  const row = newRunRow(id, edition, planned, now)
  const created_at = new Date(now).toISOString()
  const stored = await world.ledger.transact([
    { key: ledgerKeys.run(id), set: row, if: [{ is: 'absent' }] },
    { key: ledgerKeys.openRun(id), set: { created_at } },
    {
      key: ledgerKeys.event(id, 1),
      set: { type: 'run.status', sequence: 1, created_at, status: 'queued', reason: null },
    },
    ...(idempotencyKey === undefined
      ? []
      : [
          {
            key: ledgerKeys.idempotency(idempotencyKey),
            set: { run: id, fingerprint },
            if: [{ is: 'absent' as const }],
          },
        ]),
  ])
  if (stored.ok) {
    await definitions.publish(row)
    return id
  }
  return createRun(world, definitions, request, plan, idempotencyKey)
}

async function findEarlier(world: World, key: string, fingerprint: string): Promise<string | null> {
  const earlier = await world.ledger.get(ledgerKeys.idempotency(key))
  if (earlier && earlier.fingerprint !== fingerprint) {
    throw new EspalierError(
      'idempotency_key_reused',
      `The Idempotency-Key "${key}" came before with another request, which made the run ${earlier.run}. Use a new key for a new request.`,
      { param: 'Idempotency-Key' },
    )
  }
  return earlier ? String(earlier.run) : null
}

function newRunRow(id: string, edition: string, { request, tasks, priced }: RunPlan, now: number): RunRow {
  const total = tasks.length * request.epochs
  return {
    id,
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
    generation: 1,
    work: 'all',
    work_total: total,
    cursor: 0,
    done: 0,
    ...capsOf(request),
    priced,
    leased_cost: 0,
    leased_tokens: 0,
    succeeded: 0,
    failed: 0,
    limited: 0,
    errored: 0,
    cancelled: 0,
  }
}

/** A request's caps as the ledger keeps them. */
export function capsOf({
  limits,
}: Pick<RunRequest, 'limits'>): Pick<RunRow, 'cap_cost' | 'cap_tokens' | 'cap_time'> {
  return {
    cap_cost: limits.cost === undefined ? null : toNano(limits.cost),
    cap_tokens: limits.tokens ?? null,
    cap_time: limits.time === undefined ? null : limits.time * 1000,
  }
}
