import type { ApiKey, CreatedKey, KeyRequest } from '../shared/core/contracts/key.ts'
import type { List, ListQuery } from '../shared/core/contracts/list.ts'
import type { DeskWays } from './at-desk.ts'

export interface KeyDesk {
  create(request: KeyRequest): Promise<CreatedKey>
  list(query: ListQuery): Promise<List<ApiKey>>
  revoke(id: string): Promise<void>
}

export const keyDesk: DeskWays<KeyDesk> = {
  service: (client) => ({
    create: client.createKey,
    list: ({ limit, after }) => client.keys({ limit, after }),
    revoke: client.revokeKey,
  }),
  async ledger(ledger, tenant) {
    const { openKeys } = await import('../shared/core/auth/open-keys.ts')
    const { systemClock } = await import('../shared/core/world/system-clock.ts')
    const keys = openKeys({ ledger, clock: systemClock })
    return {
      create: (request) => keys.create(tenant, request),
      list: (query) => keys.list(tenant, query),
      revoke: (id) => keys.revoke(tenant, id),
    }
  },
}
