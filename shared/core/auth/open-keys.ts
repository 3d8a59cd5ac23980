import { type ApiKey, apiKeySchema, type CreatedKey, type KeyRequest } from '../contracts/key.ts'
import { type List, type ListQuery, toList } from '../contracts/list.ts'
import { checkTenant } from '../contracts/tenant.ts'
import { newIdentifier } from '../engine/identifiers.ts'
import { unknownId } from '../engine/unknown-id.ts'
import type { Clock, Ledger, LedgerItem, LedgerKey } from '../world/ports.ts'
import { digestKey, keyIdOf, matchesDigest, newKeyText } from './key-text.ts'
import type { Principal } from './principal.ts'

export interface Keys {
  /** Creates a key. Only this answer has its text: the ledger stores a digest. */
  create(tenant: string, request: KeyRequest): Promise<CreatedKey>
  list(tenant: string, query: ListQuery): Promise<List<ApiKey>>
  find(tenant: string, id: string): Promise<ApiKey | null>
  /**
   * Revokes a key for good.
   * @throws EspalierError `not_found`, also for another tenant's key
   */
  revoke(tenant: string, id: string): Promise<void>
  verify(text: string): Promise<Principal | null>
}

const keyItem = (id: string): LedgerKey => ({ partition: 'keys', sort: id })
const listItem = (tenant: string, id: string): LedgerKey => ({ partition: `tenant/${tenant}/keys`, sort: id })

/**
 * Opens the keys over a ledger.
 * @example
 * const keys = openKeys({ ledger: world.ledger, clock: world.clock })
 * const { key } = await keys.create('default', { name: 'nightly', scopes: ['runs:write', 'runs:read'] })
 * const principal = await keys.verify(key)
 */
export function openKeys({ ledger, clock }: { ledger: Ledger; clock: Pick<Clock, 'now'> }): Keys {
  return {
    async create(tenant, { name, scopes, expires_in }) {
      const now = clock.now()
      const id = newIdentifier('key', now)
      const key = newKeyText(id)
      const shown: ApiKey = {
        id,
        object: 'api_key',
        tenant: checkTenant(tenant),
        name,
        scopes: [...new Set(scopes)],
        created_at: new Date(now).toISOString(),
        expires_at: expires_in === undefined ? null : new Date(now + expires_in * 1000).toISOString(),
      }
      const stored = await ledger.transact([
        { key: keyItem(id), set: { ...shown, digest: digestKey(key) }, if: [{ is: 'absent' }] },
        { key: listItem(tenant, id), set: { created_at: shown.created_at } },
      ])
      if (!stored.ok) throw new Error(`The key ${id} could not be stored.`)
      return { ...shown, key }
    },

    async list(tenant, { limit, after }) {
      const { partition } = listItem(checkTenant(tenant), '')
      const query = { limit, reverse: true, ...(after === undefined ? {} : { after }) }
      const page = await ledger.query(partition, query)
      const items = await Promise.all(page.items.map(({ sort }) => ledger.get(keyItem(sort))))
      return toList(items.filter((item) => item !== null).map(toApiKey), page.more)
    },

    async find(tenant, id) {
      const item = await ledger.get(keyItem(id))
      return item === null || item.tenant !== tenant ? null : toApiKey(item)
    },

    async revoke(tenant, id) {
      const removed = await ledger.transact([
        {
          key: keyItem(id),
          delete: true,
          if: [{ attribute: 'tenant', is: 'equal', value: checkTenant(tenant) }],
        },
        { key: listItem(tenant, id), delete: true },
      ])
      if (!removed.ok) throw await unknownId('key', id, { ledger, listed: listItem(tenant, '').partition })
    },

    async verify(text) {
      const id = keyIdOf(text)
      const item = id === null ? null : await ledger.get(keyItem(id))
      if (item === null || !matchesDigest(text, String(item.digest))) return null
      const { tenant, scopes, expires_at } = toApiKey(item)
      if (expires_at !== null && Date.parse(expires_at) <= clock.now()) return null
      return { tenant, scopes, key: id }
    },
  }
}

function toApiKey(item: LedgerItem): ApiKey {
  return apiKeySchema.parse(item)
}
