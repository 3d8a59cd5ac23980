import { z } from 'zod'
import { idempotencyEnd } from '../../core/contracts/idempotency.ts'
import { jsonObjectSchema } from '../../core/contracts/json.ts'
import { type List, type ListQuery, toList } from '../../core/contracts/list.ts'
import { type Loop, loopSchema } from '../../core/contracts/loop.ts'
import { unknownId } from '../../core/engine/unknown-id.ts'
import type { Ledger, LedgerChange, LedgerItem, LedgerKey } from '../../core/world/ports.ts'
import type { LoopState } from './loop-state.ts'

/** Stored shape. New fields are optional, with a defined meaning when absent. */
const storedSchema = z.object({
  tenant: z.string(),
  revision: z.int(),
  look: z.int(),
  wanted: z.enum(['pause', 'cancel', 'wake']).nullable(),
  running_since: z.number().nullable(),
  counted_at: z.object({ now: z.number(), of: z.string(), milliseconds: z.number() }).nullish(),
  experts: z.object({ runs: z.array(z.string()), trajectories: z.array(z.string()) }),
  loop: loopSchema,
})

const keyOf = (id: string): LedgerKey => ({ partition: `loop/${id}`, sort: 'loop' })

export function loopLedger(ledger: Ledger) {
  const listed = (tenant: string) => `tenant/${tenant}/loops`
  const keysOf = (tenant: string) => `tenant/${tenant}/idempotency/loops`

  async function read(id: string, tenant: string | null): Promise<LoopState> {
    const item = await ledger.get(keyOf(id))
    if (item === null || (tenant !== null && item.tenant !== tenant)) {
      throw await unknownId('loop', id, { ledger, listed: listed(tenant ?? '') })
    }
    return storedSchema.parse(item)
  }

  return {
    read,

    async findByKey(tenant: string, key: string): Promise<{ loop: string; digest: string } | null> {
      const item = await ledger.get({ partition: keysOf(tenant), sort: key })
      return item === null ? null : { loop: String(item.loop), digest: String(item.digest) }
    },

    async add(state: LoopState, key: { value: string; digest: string } | null): Promise<boolean> {
      const { loop, tenant } = state
      const changes: LedgerChange[] = [
        { key: keyOf(loop.id), set: toItem(state), if: [{ is: 'absent' }] },
        { key: { partition: listed(tenant), sort: loop.id }, set: { created_at: loop.created_at } },
      ]
      if (key !== null) {
        changes.push({
          key: { partition: keysOf(tenant), sort: key.value },
          set: { loop: loop.id, digest: key.digest },
          expires_at: idempotencyEnd(Date.parse(loop.created_at)),
          if: [{ is: 'absent' }],
        })
      }
      return (await ledger.transact(changes)).ok
    },

    /**
     * Replaces the state that has the same revision.
     *
     * @returns the stored state. Null: another writer came first, read again
     */
    async write(state: LoopState): Promise<LoopState | null> {
      const next = { ...state, revision: state.revision + 1 }
      const { ok } = await ledger.update({
        key: keyOf(state.loop.id),
        set: toItem(next),
        if: [{ attribute: 'revision', is: 'equal', value: state.revision }],
      })
      return ok ? next : null
    },

    async list(tenant: string, { limit, after }: ListQuery): Promise<List<Loop>> {
      const { items, more } = await ledger.query(listed(tenant), {
        reverse: true,
        limit,
        ...(after === undefined ? {} : { after }),
      })
      const loops = await Promise.all(items.map(async ({ sort }) => (await read(sort, tenant)).loop))
      return toList(loops, more)
    },
  }
}

export type LoopLedger = ReturnType<typeof loopLedger>

function toItem(state: LoopState): LedgerItem {
  return jsonObjectSchema.parse(JSON.parse(JSON.stringify(state)))
}
