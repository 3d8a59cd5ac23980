import type { Dataset, DatasetProgress } from '../../../core/contracts/dataset.ts'
import { pagesOf } from '../../../core/world/pages-of.ts'
import type { Ledger, LedgerCondition, LedgerItem } from '../../../core/world/ports.ts'
import { datasetItemKey, toDataset, unknownDataset } from '../dataset-ledger.ts'
import { DatasetTakenOverError } from './dataset-taken-over-error.ts'
import { type StoredPart, storedPartSchema } from './part.ts'
import { type Shard, shardSchema } from './shard.ts'

export interface BuildState {
  dataset: Dataset
  tenant: string
  plan: string | null
}

const open: LedgerCondition = { attribute: 'status', is: 'one_of', values: ['queued', 'running'] }
const isBuilder = (builder: string): LedgerCondition => ({
  attribute: 'builder',
  is: 'equal',
  value: builder,
})

const openTo = (builder: string | null) => (builder === null ? [open] : [open, isBuilder(builder)])

export function buildLedger(ledger: Ledger) {
  return { ...buildStates(ledger), ...buildOutput(ledger) }
}

export type BuildLedger = ReturnType<typeof buildLedger>

function buildStates(ledger: Ledger) {
  async function change(id: string, builder: string, set: LedgerItem, remove: string[] = []): Promise<void> {
    const done = await ledger.update({ key: datasetItemKey(id), set, remove, if: [isBuilder(builder)] })
    if (!done.ok) throw new DatasetTakenOverError(id)
  }

  async function fail(id: string, error: string, by: string | null): Promise<boolean> {
    const { ok } = await ledger.update({
      key: datasetItemKey(id),
      set: { status: 'failed', error },
      remove: ['builder', 'note'],
      if: openTo(by),
    })
    return ok
  }

  return {
    async read(id: string): Promise<BuildState> {
      const item = await ledger.get(datasetItemKey(id))
      if (item === null) throw unknownDataset(id)
      return toState(item)
    },

    /**
     * Claims the build: from now on only this builder's plan and files count.
     *
     * @returns the state of the build; null when it has ended already
     */
    async claim(id: string, builder: string): Promise<BuildState | null> {
      const set = { status: 'running', builder }
      const { item, ok } = await ledger.update({ key: datasetItemKey(id), set, if: [open] })
      if (item === null) throw unknownDataset(id)
      return ok ? toState(item) : null
    },

    /** @throws EspalierError `conflict` when another builder has taken over */
    async checkClaim(id: string, builder: string): Promise<void> {
      const item = await ledger.get(datasetItemKey(id))
      if (item?.builder !== builder) throw new DatasetTakenOverError(id)
    },

    change,

    async note(id: string, builder: string, note: string | null): Promise<void> {
      await (note === null ? change(id, builder, {}, ['note']) : change(id, builder, { note }))
    },

    /**
     * Shows an error; the build continues. @param by - the reporting builder; null: anyone, such as the collector of
     * a part
     */
    async showError(id: string, error: string, by: string | null): Promise<void> {
      await ledger.update({ key: datasetItemKey(id), set: { error }, if: openTo(by) })
    },

    fail,

    async giveUp(id: string, reason: string): Promise<boolean> {
      const item = await ledger.get(datasetItemKey(id))
      const cause = typeof item?.error === 'string' ? ` The last error: ${item.error}` : ''
      return fail(id, `${reason}${cause}`, null)
    },
  }
}

export const buildPartitions = {
  parts: (id: string) => `dataset/${id}/parts`,
  files: (id: string) => `dataset/${id}/files`,
}

function buildOutput(ledger: Ledger) {
  const { parts: partsOf, files: shardsOf } = buildPartitions

  return {
    async parts(id: string): Promise<StoredPart[]> {
      const parts: StoredPart[] = []
      for await (const page of pagesOf(ledger, partsOf(id))) {
        for (const { item } of page) parts.push(storedPartSchema.parse(item))
      }
      return parts
    },

    async hasPart(id: string, part: number): Promise<boolean> {
      return (await ledger.get({ partition: partsOf(id), sort: sortOf(part) })) !== null
    },

    /** Counts a part, once. @returns the progress of the build */
    async addPart(id: string, part: StoredPart): Promise<DatasetProgress> {
      await ledger.transact([
        { key: { partition: partsOf(id), sort: sortOf(part.number) }, set: part, if: [{ is: 'absent' }] },
        { key: datasetItemKey(id), add: { parts_done: 1 }, if: [open] },
      ])
      const item = await ledger.get(datasetItemKey(id))
      if (item === null) throw unknownDataset(id)
      return toDataset(item).progress
    },

    async shards(id: string): Promise<Shard[]> {
      const shards: Shard[] = []
      for await (const page of pagesOf(ledger, shardsOf(id))) {
        for (const { item } of page) shards.push(shardSchema.parse(item))
      }
      return shards
    },

    /** @throws EspalierError `conflict` when another builder has taken over */
    async addShard(id: string, builder: string, shard: Shard, rows: number): Promise<void> {
      const done = await ledger.transact([
        { key: datasetItemKey(id), set: { rows }, if: [isBuilder(builder)] },
        {
          key: { partition: shardsOf(id), sort: `${shard.split}/${sortOf(shard.number)}` },
          set: { ...shard },
        },
      ])
      if (!done.ok) throw new DatasetTakenOverError(id)
    },
  }
}

function toState(item: LedgerItem): BuildState {
  const plan = typeof item.plan === 'string' ? item.plan : null
  return { dataset: toDataset(item), tenant: String(item.tenant), plan }
}

function sortOf(number: number): string {
  return String(number).padStart(9, '0')
}
