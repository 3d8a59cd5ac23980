import type { Json } from '../../shared/core/contracts/json.ts'
import type { LedgerItem, LedgerKey } from '../../shared/core/world/ports.ts'

/** What the names of the two keys take, and that of the stamp which a conditional change leaves, with its value. */
const ownBytes = 'pk'.length + 'sk'.length + 'stamp'.length + 12

/** What an item takes in DynamoDB as our driver stores it; 0 when it is absent. */
export function storedBytes({ partition, sort }: LedgerKey, item: LedgerItem | null): number {
  if (item === null) return 0
  const attributes = Object.entries(item).map(([name, value]) => 1 + textBytes(name) + valueBytes(value))
  return ownBytes + textBytes(partition) + textBytes(sort) + attributes.reduce((all, bytes) => all + bytes, 0)
}

/** DynamoDB's rules of size: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html */
function valueBytes(value: Json): number {
  if (typeof value === 'string') return textBytes(value)
  if (typeof value === 'number') return 1 + Math.ceil(String(Math.abs(value)).length / 2)
  if (typeof value !== 'object' || value === null) return 1
  const parts = Array.isArray(value)
    ? value.map((element) => 1 + valueBytes(element))
    : Object.entries(value).map(([name, element]) => 1 + textBytes(name) + valueBytes(element))
  return 3 + parts.reduce((all, bytes) => all + bytes, 0)
}

function textBytes(text: string): number {
  return Buffer.byteLength(text)
}
