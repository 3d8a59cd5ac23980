import { z } from 'zod'
import { EspalierError } from '../contracts/errors.ts'
import { idempotencyEnd } from '../contracts/idempotency.ts'
import { jsonObjectSchema } from '../contracts/json.ts'
import { type List, type ListQuery, toList } from '../contracts/list.ts'
import { type Loop, loopSchema } from '../contracts/loop.ts'
import type { Ledger, LedgerChange, LedgerItem, LedgerKey } from '../world/ports.ts'
import type { LoopState } from './loop-state.ts'

/** The shape of what is stored. New fields are optional, with a meaning where they are absent. */
const storedSchema = z.object({
  tenant: z.string(),
  revision: z.int(),
  look: z.int(),
  wanted: z.enum(['pause', 'cancel', 'wake']).nullable(),
  running_since: z.number().nullable(),
  experts: z.object({ runs: z.array(z.string()), trajectories: z.array(z.string()) }),
  loop: loopSchema,
})

const keyOf = (id: string): LedgerKey => ({ partition: `loop/${id}`, sort: 'loop' })

/** What the ledger keeps of loops: a document each, the lists and idempotency keys of tenants. */
export function loopLedger(ledger: Ledger) {
  const listed = (tenant: string) => `tenant/${tenant}/loops`
  const keysOf = (tenant: string) => `tenant/${tenant}/idempotency/loops`

  /** @throws EspalierError `not_found`; the same for another tenant's loop as for none */
  async function read(id: string, tenant: string | null): Promise<LoopState> {
    const item = await ledger.get(keyOf(id))
    if (item === null || (tenant !== null && item.tenant !== tenant)) throw unknownLoop(id)
    return storedSchema.parse(item)
  }

  return {
    read,

    /** @returns the loop that an earlier call with the key made */
    async findByKey(tenant: string, key: string): Promise<{ loop: string; digest: string } | null> {
      const item = await ledger.get({ partition: keysOf(tenant), sort: key })
      return item === null ? null : { loop: String(item.loop), digest: String(item.digest) }
    },

    /** @returns false when the idempotency key was taken in the meantime */
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
     * Writes the state in place of the one with its revision.
     *
     * @returns the state as it is stored; null when another has written since: read it again
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

    /** Newest first. */
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

function unknownLoop(id: string): EspalierError {
  return new EspalierError('not_found', `There is no loop "${id}". GET /v1/loops lists them.`, {
    param: 'loop',
  })
}
