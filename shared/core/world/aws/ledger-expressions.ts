import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { changesItem } from '../apply-change.ts'
import type { LedgerChange, LedgerCondition } from '../ports.ts'
import { own, type StoredItem, storedName, storedValue } from './ledger-item.ts'

const maxChoices = 100

export interface Expressions {
  UpdateExpression?: string
  ConditionExpression?: string
  ExpressionAttributeNames?: Record<string, string>
  ExpressionAttributeValues?: StoredItem
}

/**
 * A change in DynamoDB's language. One that deletes, or only has conditions, has no update.
 * @param stamp stored with the item, if present
 */
export function expressionsOf(change: LedgerChange, stamp?: string): Expressions {
  const placeholders = new Placeholders()
  const condition = (change.if ?? []).map((one) => conditionText(one, placeholders)).join(' AND ')
  const update = updateText(change, stamp, placeholders)
  return {
    ...(update !== '' && { UpdateExpression: update }),
    ...(condition !== '' && { ConditionExpression: condition }),
    ...placeholders.used(),
  }
}

function updateText(change: LedgerChange, stamp: string | undefined, placeholders: Placeholders): string {
  if (change.delete || !changesItem(change)) return ''
  const { set = {}, add = {}, remove = [], expires_at } = change
  const sets = Object.entries(set).map(
    ([name, value]) => `${placeholders.attribute(name)} = ${placeholders.value(storedValue(value))}`,
  )
  if (expires_at !== undefined) {
    const seconds = { N: String(Math.ceil(expires_at / 1000)) }
    sets.push(`${placeholders.name(own.expires)} = ${placeholders.value(seconds)}`)
  }
  if (stamp !== undefined) sets.push(`${placeholders.name(own.stamp)} = ${placeholders.value({ S: stamp })}`)
  const adds = Object.entries(add).map(
    ([name, amount]) => `${placeholders.attribute(name)} ${placeholders.value(storedValue(amount))}`,
  )
  if (sets.length + adds.length === 0) {
    sets.push(`${placeholders.name(own.marker)} = ${placeholders.value({ BOOL: true })}`)
  }
  const removals = remove.map((name) => placeholders.attribute(name))
  return [clause('SET', sets), clause('ADD', adds), clause('REMOVE', removals)].filter(Boolean).join(' ')
}

function clause(verb: string, parts: string[]): string {
  return parts.length === 0 ? '' : `${verb} ${parts.join(', ')}`
}

function conditionText(condition: LedgerCondition, placeholders: Placeholders): string {
  const name =
    condition.attribute === undefined
      ? placeholders.name(own.partition)
      : placeholders.attribute(condition.attribute)
  switch (condition.is) {
    case 'present':
      return `attribute_exists(${name})`
    case 'absent':
      return `attribute_not_exists(${name})`
    case 'equal':
      return `${name} = ${placeholders.value(storedValue(condition.value))}`
    case 'at_most':
      return `${name} <= ${placeholders.value(storedValue(condition.value))}`
    case 'at_least':
      return `${name} >= ${placeholders.value(storedValue(condition.value))}`
    case 'one_of': {
      const values = condition.values.map((value) => placeholders.value(storedValue(value)))
      const groups = Array.from({ length: Math.ceil(values.length / maxChoices) }, (_, index) =>
        values.slice(index * maxChoices, (index + 1) * maxChoices),
      )
      if (groups.length === 0) return `(attribute_exists(${name}) AND attribute_not_exists(${name}))`
      return `(${groups.map((group) => `${name} IN (${group.join(', ')})`).join(' OR ')})`
    }
  }
}

class Placeholders {
  readonly #names = new Map<string, string>()
  readonly #values: AttributeValue[] = []

  attribute(attribute: string): string {
    return this.name(storedName(attribute))
  }

  name(stored: string): string {
    const known = this.#names.get(stored)
    if (known !== undefined) return known
    const placeholder = `#${this.#names.size}`
    this.#names.set(stored, placeholder)
    return placeholder
  }

  value(value: AttributeValue): string {
    return `:${this.#values.push(value) - 1}`
  }

  used(): Pick<Expressions, 'ExpressionAttributeNames' | 'ExpressionAttributeValues'> {
    const names = Object.fromEntries(Array.from(this.#names, ([name, placeholder]) => [placeholder, name]))
    const values = Object.fromEntries(this.#values.map((value, index) => [`:${index}`, value]))
    return {
      ...(this.#names.size > 0 && { ExpressionAttributeNames: names }),
      ...(this.#values.length > 0 && { ExpressionAttributeValues: values }),
    }
  }
}
