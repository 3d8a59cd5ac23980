import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb'
import type { Json } from '../../contracts/json.ts'
import type { LedgerItem, LedgerKey } from '../ports.ts'

export type StoredItem = Record<string, AttributeValue>

/** Attributes of our own. Those of items are stored with an underscore before their names, so none can be one of these. */
export const own = {
  partition: 'pk',
  sort: 'sk',
  /** When DynamoDB may remove the item. Seconds since the epoch. */
  expires: 'ttl',
  /** Names the conditional change that the item was last changed by. */
  stamp: 'stamp',
  /** Set where a change sets nothing else, because to take attributes away does not make an absent item. */
  marker: 'item',
} as const

/** The name under which an item's attribute is stored. */
export function storedName(attribute: string): string {
  return `_${attribute}`
}

export function storedKey({ partition, sort }: LedgerKey): StoredItem {
  return { [own.partition]: { S: partition }, [own.sort]: { S: sort } }
}

export function storedValue(value: Json): AttributeValue {
  const { value: stored } = marshall({ value }, { allowImpreciseNumbers: true })
  return stored as AttributeValue
}

/** An item without what is ours; null for an absent one. */
export function itemIn(stored: StoredItem | undefined): LedgerItem | null {
  if (stored === undefined) return null
  const values = unmarshall(stored, { wrapNumbers: Number }) as Record<string, Json>
  const attributes = Object.entries(values).filter(([name]) => name.startsWith('_'))
  return Object.fromEntries(attributes.map(([name, value]) => [name.slice(1), value]))
}
