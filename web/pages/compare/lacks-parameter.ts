import type { MethodInfo } from '../../../shared/core/contracts/catalogue.ts'
import { isObject } from '../../components/schema-fields/read-fields.ts'

const prefix = 'method.'

export function isParameter(field: string): boolean {
  return field.startsWith(prefix) && field !== `${prefix}id`
}

export function lacksParameter(method: Pick<MethodInfo, 'parameters'> | undefined, field: string): boolean {
  if (method === undefined || !isParameter(field)) return false
  const { anyOf } = method.parameters
  const variants = Array.isArray(anyOf) ? anyOf.filter(isObject) : [method.parameters]
  const [name = ''] = field.slice(prefix.length).split('.')
  return !variants.some(({ properties }) => isObject(properties) && Object.hasOwn(properties, name))
}
