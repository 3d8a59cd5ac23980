import { randomUUID } from 'node:crypto'
import { idempotencyEnd } from '../../core/contracts/idempotency.ts'
import type { ListQuery } from '../../core/contracts/list.ts'
import type { RegisteredModel } from '../../core/contracts/registered-model.ts'
import { unknownId } from '../../core/engine/unknown-id.ts'
import { acquireLease, releaseLease, renewLease } from '../../core/world/lease.ts'
import { pagesOf } from '../../core/world/pages-of.ts'
import type { LedgerChange, LedgerKey, World } from '../../core/world/ports.ts'
import { partKey } from './weight-parts.ts'

export const modelItemKey = (id: string): LedgerKey => ({ partition: `model/${id}`, sort: 'model' })

const leaseMilliseconds = 60_000
const leasePoll = 200

export interface NamedRegistration {
  value: string
  digest: string
}

/**
 * The ledger of a tenant's models: an item each, the tenant's list, each parent's children, the users of each part,
 * and idempotency keys. The model's description is an object, because it may be large.
 */
export function tenantModelLedger({ ledger, objects, clock }: World, tenant: string) {
  const listed = `tenant/${tenant}/models`
  const keys = `tenant/${tenant}/idempotency/models`
  const children = (model: string) => `model/${model}/children`
  const uses = (sha256: string) => `weights/${tenant}/${sha256}`
  const lease = { partition: `tenant/${tenant}/weights`, sort: 'lease' }

  return {
    /**
     * The endpoint of a model.
     * @throws EspalierError `not_found`, the same for another tenant's as for none
     */
    async read(id: string): Promise<{ endpoint: string | null }> {
      const item = await ledger.get(modelItemKey(id))
      if (item === null || item.tenant !== tenant) throw await unknownId('model', id, { ledger, listed })
      return { endpoint: typeof item.endpoint === 'string' ? item.endpoint : null }
    },

    async findByKey(key: string): Promise<{ model: string; digest: string } | null> {
      const item = await ledger.get({ partition: keys, sort: key })
      return item === null ? null : { model: String(item.model), digest: String(item.digest) }
    },

    async add(model: RegisteredModel, key: NamedRegistration | null): Promise<boolean> {
      const { id, created_at, parent } = model
      const changes: LedgerChange[] = [
        { key: modelItemKey(id), set: { tenant, created_at }, if: [{ is: 'absent' }] },
        { key: { partition: listed, sort: id }, set: { created_at } },
      ]
      if (parent !== null)
        changes.push({ key: { partition: children(parent), sort: id }, set: { created_at } })
      if (key !== null) {
        changes.push({
          key: { partition: keys, sort: key.value },
          set: { model: id, digest: key.digest },
          expires_at: idempotencyEnd(Date.parse(created_at)),
          if: [{ is: 'absent' }],
        })
      }
      return (await ledger.transact(changes)).ok
    },

    /**
     * Removes a model from the ledger, unless it is being served.
     * @returns false if it is
     */
    async remove({ id, parent }: RegisteredModel): Promise<boolean> {
      const changes: LedgerChange[] = [
        { key: modelItemKey(id), delete: true, if: [{ is: 'absent', attribute: 'endpoint' }] },
        { key: { partition: listed, sort: id }, delete: true },
      ]
      if (parent !== null) changes.push({ key: { partition: children(parent), sort: id }, delete: true })
      return (await ledger.transact(changes)).ok
    },

    async list({ limit, after }: ListQuery): Promise<{ ids: string[]; more: boolean }> {
      const page = await ledger.query(listed, { reverse: true, limit, ...(after !== undefined && { after }) })
      return { ids: page.items.map(({ sort }) => sort), more: page.more }
    },

    async childrenOf(model: string): Promise<string[]> {
      const found: string[] = []
      for await (const page of pagesOf(ledger, children(model))) found.push(...page.map(({ sort }) => sort))
      return found
    },

    async use(model: string, parts: ReadonlySet<string>): Promise<void> {
      for (const sha256 of parts) {
        await ledger.update({ key: { partition: uses(sha256), sort: model }, set: { used: true } })
      }
    },

    async leave(model: string, parts: ReadonlySet<string>): Promise<void> {
      for (const sha256 of parts) {
        await ledger.update({ key: { partition: uses(sha256), sort: model }, delete: true })
        const { items } = await ledger.query(uses(sha256), { limit: 1 })
        if (items.length === 0) await objects.delete(partKey(tenant, sha256))
      }
    },

    /**
     * Works on parts while no other process does: a part must not be deleted between checking that it exists and
     * recording its use.
     */
    async alone<Result>(work: () => Promise<Result>): Promise<Result> {
      const holder = randomUUID()
      const term = () => ({ now: clock.now(), duration: leaseMilliseconds })
      let held = await acquireLease(ledger, lease, holder, term())
      while (held === null) {
        await clock.sleep(leasePoll)
        held = await acquireLease(ledger, lease, holder, term())
      }
      let mine = held
      const renewal = setInterval(async () => {
        mine = (await renewLease(ledger, mine, term()).catch(() => null)) ?? mine
      }, leaseMilliseconds / 4)
      try {
        return await work()
      } finally {
        clearInterval(renewal)
        await releaseLease(ledger, mine)
      }
    },
  }
}
