import { type Dataset, datasetSchema } from '../contracts/dataset.ts'
import { EspalierError } from '../contracts/errors.ts'
import { jsonObjectSchema } from '../contracts/json.ts'
import { type List, type ListQuery, toList } from '../contracts/list.ts'
import type { Ledger, LedgerItem } from '../world/ports.ts'
import { type Shard, shardSchema } from './shard.ts'

const datasets = 'datasets'
const keys = 'idempotency/datasets'

/** What the ledger keeps of datasets: a row each, newest last by its id, the shards of each, and idempotency keys. */
export function datasetLedger(ledger: Ledger) {
  const keyOf = (id: string) => ({ partition: datasets, sort: id })
  const shardsOf = (id: string) => `dataset/${id}/shards`

  async function read(id: string): Promise<Dataset> {
    const item = await ledger.get(keyOf(id))
    if (item === null) throw unknownDataset(id)
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
      const changes = [{ key: keyOf(dataset.id), set, if: [{ is: 'absent' as const }] }]
      if (key !== null) {
        changes.push({
          key: { partition: keys, sort: key.value },
          set: { dataset: dataset.id, digest: key.digest },
          if: [{ is: 'absent' as const }],
        })
      }
      return (await ledger.transact(changes)).ok
    },

    /** Newest first. */
    async list(query: ListQuery): Promise<List<Dataset>> {
      const { limit, after } = query
      const page = await ledger.query(datasets, {
        reverse: true,
        limit,
        ...(after === undefined ? {} : { after }),
      })
      return toList(
        page.items.map(({ item }) => toDataset(item)),
        page.more,
      )
    },

    /**
     * Makes the builder the only one whose commits count, whoever built before.
     *
     * @returns null when the dataset has ended already
     */
    async claim(id: string, builder: string): Promise<Dataset | null> {
      const change = await ledger.update({
        key: keyOf(id),
        set: { status: 'running', builder },
        if: [{ attribute: 'status', is: 'one_of', values: ['queued', 'running'] }],
      })
      if (change.item === null) throw unknownDataset(id)
      return change.ok ? toDataset(change.item) : null
    },

    /** @throws EspalierError `conflict` when another builder has taken over */
    async checkClaim(id: string, builder: string): Promise<void> {
      const item = await ledger.get(keyOf(id))
      if (item?.builder !== builder) throw takenOver(id)
    },

    async shards(id: string): Promise<Shard[]> {
      const shards: Shard[] = []
      let after: string | undefined
      for (;;) {
        const page = await ledger.query(shardsOf(id), {
          limit: 1000,
          ...(after === undefined ? {} : { after }),
        })
        for (const { item } of page.items) shards.push(shardSchema.parse(item))
        after = page.items.at(-1)?.sort
        if (!page.more || after === undefined) return shards
      }
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
      await ledger.update({
        key: keyOf(id),
        set: { status: 'failed', error: reason },
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
