import { type Dataset, datasetSchema } from '../contracts/dataset.ts'
import { EspalierError } from '../contracts/errors.ts'
import { idempotencyEnd } from '../contracts/idempotency.ts'
import { jsonObjectSchema } from '../contracts/json.ts'
import { type List, type ListQuery, toList } from '../contracts/list.ts'
import { pagesOf } from '../world/pages-of.ts'
import type { Ledger, LedgerChange, LedgerItem, LedgerKey } from '../world/ports.ts'
import { type Shard, shardSchema } from './shard.ts'

const keyOf = (id: string): LedgerKey => ({ partition: `dataset/${id}`, sort: 'dataset' })

/**
 * What the ledger keeps of a tenant's datasets: a row each, which names its tenant, the tenant's list, newest last by its
 * ids, and idempotency keys.
 */
export function tenantDatasetLedger(ledger: Ledger, tenant: string) {
  const listed = `tenant/${tenant}/datasets`
  const keys = `tenant/${tenant}/idempotency/datasets`

  /** @throws EspalierError `not_found`, and nothing that tells another tenant's dataset from none */
  async function read(id: string): Promise<Dataset> {
    const item = await ledger.get(keyOf(id))
    if (item === null || item.tenant !== tenant) throw unknownDataset(id)
    return toDataset(item)
  }

  return {
    read,

    /** @returns the dataset that an earlier call with the key made */
    async findByKey(key: string): Promise<{ dataset: string; digest: string } | null> {
      const item = await ledger.get({ partition: keys, sort: key })
      return item === null ? null : { dataset: String(item.dataset), digest: String(item.digest) }
    },

    /** @returns false when the idempotency key was taken in the meantime */
    async add(dataset: Dataset, key: { value: string; digest: string } | null): Promise<boolean> {
      const { files: _, ...row } = dataset
      const set = jsonObjectSchema.parse(JSON.parse(JSON.stringify(row)))
      const changes: LedgerChange[] = [
        { key: keyOf(dataset.id), set: { ...set, tenant }, if: [{ is: 'absent' }] },
        { key: { partition: listed, sort: dataset.id }, set: { created_at: dataset.created_at } },
      ]
      if (key !== null) {
        changes.push({
          key: { partition: keys, sort: key.value },
          set: { dataset: dataset.id, digest: key.digest },
          expires_at: idempotencyEnd(Date.parse(dataset.created_at)),
          if: [{ is: 'absent' }],
        })
      }
      return (await ledger.transact(changes)).ok
    },

    /** Newest first. */
    async list(query: ListQuery): Promise<List<Dataset>> {
      const { limit, after } = query
      const page = await ledger.query(listed, {
        reverse: true,
        limit,
        ...(after === undefined ? {} : { after }),
      })
      return toList(await Promise.all(page.items.map(({ sort }) => read(sort))), page.more)
    },
  }
}

/** What the ledger keeps of builds, whoever's the dataset is: how they stand, and the shards of each. */
export function buildLedger(ledger: Ledger) {
  const shardsOf = (id: string) => `dataset/${id}/shards`

  return {
    /**
     * Makes the builder the only one whose commits count, whoever built before.
     *
     * @returns the dataset and whose it is; null when it has ended already
     */
    async claim(id: string, builder: string): Promise<{ dataset: Dataset; tenant: string } | null> {
      const change = await ledger.update({
        key: keyOf(id),
        set: { status: 'running', builder },
        if: [{ attribute: 'status', is: 'one_of', values: ['queued', 'running'] }],
      })
      if (change.item === null) throw unknownDataset(id)
      return change.ok ? { dataset: toDataset(change.item), tenant: String(change.item.tenant) } : null
    },

    /** @throws EspalierError `conflict` when another builder has taken over */
    async checkClaim(id: string, builder: string): Promise<void> {
      const item = await ledger.get(keyOf(id))
      if (item?.builder !== builder) throw takenOver(id)
    },

    async shards(id: string): Promise<Shard[]> {
      const shards: Shard[] = []
      for await (const page of pagesOf(ledger, shardsOf(id))) {
        for (const { item } of page) shards.push(shardSchema.parse(item))
      }
      return shards
    },

    /** @throws EspalierError `conflict` when another builder has taken over */
    async addShard(id: string, builder: string, shard: Shard): Promise<void> {
      const sort = String(shard.number).padStart(9, '0')
      const done = await ledger.transact([
        {
          key: keyOf(id),
          set: { rows: shard.rows, left_out: shard.left_out },
          if: [{ attribute: 'builder', is: 'equal', value: builder }],
        },
        { key: { partition: shardsOf(id), sort }, set: { ...shard } },
      ])
      if (!done.ok) throw takenOver(id)
    },

    /** Records how the build stands or ended. A builder that was replaced changes nothing. */
    async settle(
      id: string,
      builder: string,
      state: Pick<Dataset, 'status' | 'error'> & Partial<Pick<Dataset, 'rows' | 'left_out'>>,
    ): Promise<void> {
      const done = await ledger.update({
        key: keyOf(id),
        set: { ...state },
        if: [{ attribute: 'builder', is: 'equal', value: builder }],
      })
      if (!done.ok) throw takenOver(id)
    },

    /** Fails a dataset that has not ended. Nothing to do for one that has, or that never was. */
    async giveUp(id: string, reason: string): Promise<void> {
      const item = await ledger.get(keyOf(id))
      const cause = typeof item?.error === 'string' ? ` The last error: ${item.error}` : ''
      await ledger.update({
        key: keyOf(id),
        set: { status: 'failed', error: `${reason}${cause}` },
        remove: ['builder'],
        if: [{ attribute: 'status', is: 'one_of', values: ['queued', 'running'] }],
      })
    },
  }
}

function toDataset(item: LedgerItem): Dataset {
  return datasetSchema.parse({ ...item, files: [] })
}

function unknownDataset(id: string): EspalierError {
  return new EspalierError('not_found', `There is no dataset "${id}".`, { param: 'dataset' })
}

function takenOver(id: string): EspalierError {
  return new EspalierError('conflict', `Another worker builds the dataset "${id}" now.`)
}
