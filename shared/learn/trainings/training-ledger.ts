import { z } from 'zod'
import { idempotencyEnd } from '../../core/contracts/idempotency.ts'
import { jsonObjectSchema } from '../../core/contracts/json.ts'
import { type List, type ListQuery, toList } from '../../core/contracts/list.ts'
import { type Training, trainingReasonSchema, trainingSchema } from '../../core/contracts/training.ts'
import { unknownId } from '../../core/engine/unknown-id.ts'
import type { Ledger, LedgerChange, LedgerItem, LedgerKey } from '../../core/world/ports.ts'

const internalsSchema = z.object({
  tenant: z.string(),
  look: z.int(),
  wanted: z.enum(['pause', 'cancel']).nullable().default(null),
  /** True while it is starting: until the trainer has it, the trainer's state may be of an earlier start. */
  is_starting: z.boolean().default(false),
  wanted_because: trainingReasonSchema.nullable().default(null),
  deaths: z.int().default(0),
  died_at: z.int().default(-1),
})

export interface TrainingState extends z.infer<typeof internalsSchema> {
  training: Training
}

const keyOf = (id: string): LedgerKey => ({ partition: `training/${id}`, sort: 'training' })
const leaseOf = (trainer: string, place: number): LedgerKey => ({
  partition: `trainer/${trainer}`,
  sort: `place/${place}`,
})

export function trainingLedger(ledger: Ledger) {
  const listed = (tenant: string) => `tenant/${tenant}/trainings`
  const keysOf = (tenant: string) => `tenant/${tenant}/idempotency/trainings`

  async function read(id: string, tenant: string | null): Promise<TrainingState> {
    const item = await ledger.get(keyOf(id))
    if (item === null || (tenant !== null && item.tenant !== tenant)) {
      throw await unknownId('training', id, { ledger, listed: listed(tenant ?? '') })
    }
    return toState(item)
  }

  return {
    read,

    async findByKey(tenant: string, key: string): Promise<{ training: string; digest: string } | null> {
      const item = await ledger.get({ partition: keysOf(tenant), sort: key })
      return item === null ? null : { training: String(item.training), digest: String(item.digest) }
    },

    async add(tenant: string, training: Training, key: { value: string; digest: string } | null) {
      const set = { ...toItem(training), tenant, look: 0 }
      const changes: LedgerChange[] = [
        { key: keyOf(training.id), set, if: [{ is: 'absent' }] },
        { key: { partition: listed(tenant), sort: training.id }, set: { created_at: training.created_at } },
      ]
      if (key !== null) {
        changes.push({
          key: { partition: keysOf(tenant), sort: key.value },
          set: { training: training.id, digest: key.digest },
          expires_at: idempotencyEnd(Date.parse(training.created_at)),
          if: [{ is: 'absent' }],
        })
      }
      return (await ledger.transact(changes)).ok
    },

    async list(tenant: string, { limit, after }: ListQuery): Promise<List<Training>> {
      const page = await ledger.query(listed(tenant), {
        reverse: true,
        limit,
        ...(after === undefined ? {} : { after }),
      })
      const states = await Promise.all(page.items.map(({ sort }) => read(sort, tenant)))
      return toList(
        states.map(({ training }) => training),
        page.more,
      )
    },

    /**
     * Changes it if it still has one of these statuses.
     * @returns null if it has another
     */
    async change(
      id: string,
      statuses: readonly Training['status'][],
      change: Partial<Training> & Partial<Omit<TrainingState, 'training'>>,
    ): Promise<TrainingState | null> {
      const { ok, item } = await ledger.update({
        key: keyOf(id),
        set: toItem(change),
        if: [{ attribute: 'status', is: 'one_of', values: [...statuses] }],
      })
      return ok && item !== null ? toState(item) : null
    },

    /**
     * Records a finished step.
     * @returns false if another message finished it meanwhile
     */
    async countLook(id: string, look: number): Promise<boolean> {
      const { ok } = await ledger.update({
        key: keyOf(id),
        set: { look: look + 1 },
        if: [{ attribute: 'look', is: 'equal', value: look }],
      })
      return ok
    },

    /**
     * Takes one of the trainer's slots, or keeps its own.
     * @returns false if all are taken
     */
    async take(trainer: string, places: number, training: string): Promise<boolean> {
      for (let place = 0; place < places; place += 1) {
        const holder = (await ledger.get(leaseOf(trainer, place)))?.training
        if (holder === training) return true
      }
      for (let place = 0; place < places; place += 1) {
        const key = leaseOf(trainer, place)
        const holder = (await ledger.get(key))?.training
        if (typeof holder === 'string' && (await holds(holder))) continue
        const free =
          typeof holder === 'string'
            ? ({ attribute: 'training', is: 'equal', value: holder } as const)
            : ({ is: 'absent' } as const)
        if ((await ledger.update({ key, set: { training }, if: [free] })).ok) return true
      }
      return false
    },

    async release(trainer: string, places: number, training: string): Promise<void> {
      for (let place = 0; place < places; place += 1) {
        const mine = { attribute: 'training', is: 'equal', value: training } as const
        await ledger.update({ key: leaseOf(trainer, place), delete: true, if: [mine] })
      }
    },
  }

  /** A holder that no longer runs was killed before it released its slot. */
  async function holds(id: string): Promise<boolean> {
    const item = await ledger.get(keyOf(id))
    return item?.status === 'running' || item?.status === 'queued'
  }
}

export type TrainingLedger = ReturnType<typeof trainingLedger>

function toItem(value: object): LedgerItem {
  return jsonObjectSchema.parse(JSON.parse(JSON.stringify(value)))
}

function toState(item: LedgerItem): TrainingState {
  const internals = internalsSchema.parse(item)
  return { ...internals, training: trainingSchema.parse(item) }
}
