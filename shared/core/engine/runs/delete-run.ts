import { EspalierError } from '../../contracts/errors.ts'
import type { RunRequest } from '../../contracts/run.ts'
import type { LedgerChange, LedgerKey } from '../../world/ports.ts'
import { ledgerKeys } from '../keys.ts'
import { experimentKey } from '../labels/label-ledger.ts'
import { learnedIdOf } from '../memories/learned-id.ts'
import { learnedKey } from '../memories/learned-row.ts'
import { listRemains, type Remains } from '../remains.ts'
import { isFinal, labelsOfRun, type RunRow } from './run-row.ts'
import type { RunStore } from './run-store.ts'

/**
 * Removes an ended run from every list in one step: from then on it is `not_found`, and `removeRemains` removes its
 * data. Pictures stay, because other runs may show the same ones.
 * @throws EspalierError `invalid_state` for a run that has not ended
 */
export async function hideRun(store: RunStore, run: RunRow, request: RunRequest): Promise<void> {
  const { id, tenant } = run
  await store.change(id, (row) => {
    if (row.deleting === true) return null
    if (!isFinal(row.status)) {
      throw new EspalierError(
        'invalid_state',
        `The run ${id} is ${row.status} and cannot be deleted. Cancel it first.`,
        { param: 'run' },
      )
    }
    const { experiment } = labelsOfRun(row, request)
    const gone: LedgerKey[] = [
      ledgerKeys.tenantRun(tenant, id),
      ...row.writes.map((kind) => learnedKey(kind, tenant, learnedIdOf(kind, id))),
      ...(experiment === null ? [] : [experimentKey({ kind: 'runs', id, tenant }, experiment)]),
      ...(row.idempotency_key === undefined ? [] : [ledgerKeys.idempotency(tenant, row.idempotency_key)]),
    ]
    const removed = gone.map((key): LedgerChange => ({ key, delete: true }))
    return { set: { deleting: true }, others: [...removed, listRemains(remainsOf(id))] }
  })
}

function remainsOf(run: string): Remains {
  const partitions = [
    ledgerKeys.active(run, ''),
    ledgerKeys.end(run, ''),
    ledgerKeys.steward(run),
    ledgerKeys.event(run, 0),
    ledgerKeys.leases(run),
    ledgerKeys.turn(run, 0),
    ledgerKeys.spending(run, ''),
    ledgerKeys.firstAnswers(run, ''),
    ledgerKeys.judgement(run, ''),
    ledgerKeys.scoreName(run, ''),
    ledgerKeys.scoring(run, ''),
    // Last: a ledger needs the episodes to locate an older run's other items.
    ledgerKeys.episode(run, ''),
  ].map(({ partition }) => partition)
  const items = [ledgerKeys.run(run), ledgerKeys.preflight(run), ledgerKeys.route(run)]
  return { id: run, partitions, prefix: `runs/${run}/`, items }
}
