import { anyEndpointSchema, type EndpointConfiguration } from '../../core/contracts/endpoint-configuration.ts'
import type { Clock, Ledger, LedgerCondition, LedgerItem } from '../../core/world/ports.ts'

export interface StoredEndpoint {
  name: string
  configuration: EndpointConfiguration
  origin: 'api' | 'served'
  /** The only tenant that may use it; null: every tenant. */
  tenant: string | null
  revision: number
  created_at: string
  updated_at: string
}

export type NewEndpoint = Pick<StoredEndpoint, 'name' | 'configuration' | 'origin' | 'tenant'>

export interface EndpointDirectory {
  current(): ReadonlyMap<string, StoredEndpoint>
  /**
   * Reads them again, unless the last read is less than `maxAge` milliseconds old. Concurrent calls share one read.
   *
   * @default 0
   */
  refresh(maxAge?: number): Promise<void>
  /** Adds one. @returns false if the name is taken, or was of another tenant, whose runs may still name it */
  add(endpoint: NewEndpoint): Promise<boolean>
  /** Changes one in place. @returns false if there is none of this name and origin */
  change(endpoint: NewEndpoint): Promise<boolean>
  remove(name: string): Promise<void>
}

const partition = 'endpoints'

export function openEndpointDirectory({
  ledger,
  clock,
}: {
  ledger: Ledger
  clock: Pick<Clock, 'now'>
}): EndpointDirectory {
  let endpoints = new Map<string, StoredEndpoint>()
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | null = null

  async function read(): Promise<void> {
    const begun = clock.now()
    const found = new Map<string, StoredEndpoint>()
    let after: string | undefined
    do {
      const page = await ledger.query(partition, after === undefined ? {} : { after })
      for (const { sort, item } of page.items) {
        if (item.removed !== true) found.set(sort, toStoredEndpoint(sort, item))
      }
      after = page.more ? page.items.at(-1)?.sort : undefined
    } while (after !== undefined)
    endpoints = found
    readAt = begun
  }

  /** A read in progress may have begun before the change that this one must see. */
  async function readAnew(): Promise<void> {
    await reading?.catch(() => undefined)
    await refresh(0)
  }

  function refresh(maxAge = 0): Promise<void> {
    const age = clock.now() - readAt
    if (reading === null && maxAge > 0 && age >= 0 && age < maxAge) return Promise.resolve()
    reading ??= read().finally(() => {
      reading = null
    })
    return reading
  }

  const now = () => new Date(clock.now()).toISOString()
  const attributes = ({ configuration, origin, tenant }: NewEndpoint): LedgerItem => ({
    configuration: JSON.parse(JSON.stringify(configuration)),
    origin,
    tenant,
  })

  return {
    current: () => endpoints,
    refresh,
    async add(endpoint) {
      const { name, tenant } = endpoint
      const create = (...conditions: LedgerCondition[]) =>
        ledger.update({
          key: { partition, sort: name },
          set: { ...attributes(endpoint), created_at: now(), updated_at: now() },
          remove: ['removed'],
          add: { revision: 1 },
          if: conditions,
        })
      const isOwn: LedgerCondition[] =
        tenant === null ? [] : [{ attribute: 'tenant', is: 'equal', value: tenant }]
      const { ok } = await create({ is: 'absent' })
      const isAdded = ok || (await create({ attribute: 'removed', is: 'equal', value: true }, ...isOwn)).ok
      await readAnew()
      return isAdded
    },
    async change(endpoint) {
      const { ok } = await ledger.update({
        key: { partition, sort: endpoint.name },
        set: { ...attributes(endpoint), updated_at: now() },
        add: { revision: 1 },
        if: [
          { attribute: 'removed', is: 'absent' },
          { attribute: 'origin', is: 'equal', value: endpoint.origin },
        ],
      })
      await readAnew()
      return ok
    },
    async remove(name) {
      await ledger.update({ key: { partition, sort: name }, set: { removed: true }, if: [{ is: 'present' }] })
      await readAnew()
    },
  }
}

function toStoredEndpoint(name: string, item: LedgerItem): StoredEndpoint {
  return {
    name,
    configuration: anyEndpointSchema.parse(item.configuration),
    origin: item.origin === 'served' ? 'served' : 'api',
    tenant: typeof item.tenant === 'string' ? item.tenant : null,
    revision: Number(item.revision),
    created_at: String(item.created_at),
    updated_at: String(item.updated_at),
  }
}
