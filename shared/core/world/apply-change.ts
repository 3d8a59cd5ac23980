import type { Json } from '../contracts/json.ts'
import type { LedgerChange, LedgerCondition, LedgerItem } from './ports.ts'

export function conditionsHold(item: LedgerItem | null, conditions: LedgerCondition[] = []): boolean {
  return conditions.every((condition) => holds(item, condition))
}

/**
 * The item after the change; null if it is then absent. Never changes `item`.
 * @throws TypeError if the change contradicts itself, or adds to a non-number
 */
export function applyChange(item: LedgerItem | null, change: LedgerChange): LedgerItem | null {
  checkChange(change)
  if (change.delete) return null
  if (!changesItem(change)) return item
  const { set, add, remove } = change
  const next: LedgerItem = { ...item, ...set, ...sums(item, add) }
  for (const attribute of remove ?? []) delete next[attribute]
  return next
}

export function changesItem({ set, add, remove, expires_at }: LedgerChange): boolean {
  return set !== undefined || add !== undefined || remove !== undefined || expires_at !== undefined
}

function sums(item: LedgerItem | null, add: Record<string, number> | undefined): LedgerItem {
  if (add === undefined) return {}
  const added = Object.entries(add).map(([attribute, amount]): [string, number] => {
    const before = attributeOf(item, attribute) ?? 0
    if (typeof before !== 'number')
      throw new TypeError(`"${attribute}" is not a number: nothing can be added to it.`)
    if (!Number.isFinite(amount)) throw new TypeError(`${amount} cannot be added to "${attribute}".`)
    return [attribute, before + amount]
  })
  return Object.fromEntries(added)
}

export function checkChange({ set, add, remove, delete: whole, expires_at }: LedgerChange): void {
  if (!whole && add === undefined && remove === undefined) return
  const attributes = [...Object.keys(set ?? {}), ...Object.keys(add ?? {}), ...(remove ?? [])]
  if (whole && (attributes.length > 0 || expires_at !== undefined))
    throw new TypeError('A change that deletes the item changes nothing else.')
  if (attributes.length > 1 && new Set(attributes).size < attributes.length) {
    throw new TypeError(`A change names each attribute once; this one names ${attributes.join(', ')}.`)
  }
}

function holds(item: LedgerItem | null, condition: LedgerCondition): boolean {
  const { attribute } = condition
  const value = attribute === undefined ? undefined : attributeOf(item, attribute)
  const present = attribute === undefined ? item !== null : value !== undefined
  switch (condition.is) {
    case 'present':
      return present
    case 'absent':
      return !present
    case 'equal':
      return value === condition.value
    case 'one_of':
      return condition.values.some((one) => one === value)
    case 'at_most':
      return typeof value === 'number' && value <= condition.value
    case 'at_least':
      return typeof value === 'number' && value >= condition.value
  }
}

function attributeOf(item: LedgerItem | null, attribute: string): Json | undefined {
  return item !== null && Object.hasOwn(item, attribute) ? item[attribute] : undefined
}
