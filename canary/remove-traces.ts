import { ledgerKeys } from '../shared/core/engine/keys.ts'
import { openAwsWorld } from '../shared/core/world/aws/open-aws-world.ts'
import type { Ledger, World } from '../shared/core/world/ports.ts'
import { type CanaryStage, worldOf } from './stage.ts'

const removedAtOnce = 16

export interface RemovedTraces {
  objects: number
  items: number
}

/**
 * Removes the objects and items of ended runs, with the operator's own rights: no function of a stage may. A run that
 * has not ended stays.
 */
export async function removeTraces(
  stage: CanaryStage,
  runs: readonly { run: string; idempotencyKey: string }[],
): Promise<RemovedTraces> {
  const world = openAwsWorld(worldOf(stage))
  try {
    const removed = { objects: 0, items: 0 }
    for (const { run, idempotencyKey } of runs) {
      removed.items += await removeItems(world.ledger, run, idempotencyKey)
      removed.objects += await removeObjects(world, `runs/${run}/`)
    }
    return removed
  } finally {
    await world.close()
  }
}

async function removeItems(ledger: Ledger, run: string, idempotencyKey: string): Promise<number> {
  const item = await ledger.get(ledgerKeys.run(run))
  if (item === null) return 0
  const { tenant } = item
  // First remove references to the run, so that no list shows a half-removed one.
  if (typeof tenant === 'string') {
    for (const key of [ledgerKeys.tenantRun(tenant, run), ledgerKeys.idempotency(tenant, idempotencyKey)])
      await ledger.update({ key, delete: true })
  }
  const partitions = [
    ledgerKeys.episode(run, '').partition,
    ledgerKeys.active(run, '').partition,
    ledgerKeys.end(run, '').partition,
    ledgerKeys.steward(run).partition,
    ledgerKeys.leases(run).partition,
    ledgerKeys.event(run, 0).partition,
    ledgerKeys.spending(run, '').partition,
    ledgerKeys.firstAnswers(run, '').partition,
    ledgerKeys.run(run).partition,
  ]
  let removed = 2
  for (const partition of partitions) {
    for (let more = true; more; ) {
      const page = await ledger.query(partition)
      await inTurns(page.items, ({ sort }) => ledger.update({ key: { partition, sort }, delete: true }))
      removed += page.items.length
      more = page.more
    }
  }
  return removed
}

async function removeObjects({ objects }: World, prefix: string): Promise<number> {
  let removed = 0
  for (let more = true; more; ) {
    const page = await objects.list(prefix)
    await inTurns(page.objects, ({ key }) => objects.delete(key))
    removed += page.objects.length
    more = page.more
  }
  return removed
}

async function inTurns<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<void> {
  const left = [...items]
  const some = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: removedAtOnce }, some))
}
