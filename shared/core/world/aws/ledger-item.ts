import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb'
import type { Json } from '../../contracts/json.ts'
import type { LedgerItem, LedgerKey } from '../ports.ts'

export type StoredItem = Record<string, AttributeValue>

/** Attributes of the driver. Items' own attributes are stored with an underscore prefix, so none can collide. */
export const own = {
  partition: 'pk',
  sort: 'sk',
  /** DynamoDB may remove the item after this time. Seconds since the epoch. */
  expires: 'ttl',
  stamp: 'stamp',
  /** Set if a change sets nothing else, because removing attributes does not create an absent item. */
  marker: 'item',
} as const

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

export function itemIn(stored: StoredItem | undefined): LedgerItem | null {
  if (stored === undefined) return null
  const values = unmarshall(stored, { wrapNumbers: Number }) as Record<string, Json>
  const attributes = Object.entries(values).filter(([name]) => name.startsWith('_'))
  return Object.fromEntries(attributes.map(([name, value]) => [name.slice(1), value]))
}
