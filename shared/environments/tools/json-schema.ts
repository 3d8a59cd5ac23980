import type { Json, JsonObject } from '../../core/contracts/json.ts'

export interface SchemaField {
  readonly name: string
  readonly schema: JsonObject
  readonly required: boolean
}

const deepest = 3
const mostReferences = 16

export function fieldsOf(root: JsonObject): SchemaField[] {
  return fieldsIn(resolve(root, root), root)
}

export function isText({ schema }: SchemaField): boolean {
  const options = optionsOf(schema).filter((option) => option.type !== 'null')
  if (options.length > 1) return options.every((option) => option.type === 'string')
  const [only = schema] = options
  return only.type === 'string' || (Array.isArray(only.type) && only.type[0] === 'string')
}

export function describeType(schema: JsonObject, root: JsonObject, depth = deepest): string {
  const { const: only, enum: choices, type, items, ...known } = resolve(schema, root)
  if (only !== undefined) return JSON.stringify(only)
  if (Array.isArray(choices)) return choices.map((choice) => JSON.stringify(choice)).join(' | ')
  const options = optionsOf(known)
  if (options.length > 0) {
    return [...new Set(options.map((option) => describeType(option, root, depth)))].join(' | ')
  }
  if (Array.isArray(type)) return type.join(' | ')
  if (type === 'array')
    return isObject(items) && depth > 0 ? `[${describeType(items, root, depth - 1)}, …]` : '[…]'
  const fields = fieldsIn(known, root)
  if (fields.length === 0) return type === 'object' ? '{}' : typeof type === 'string' ? type : 'any value'
  if (depth === 0) return '{…}'
  const parts = fields.map(
    ({ name, schema: field, required }) =>
      `${JSON.stringify(name)}${required ? '' : '?'}: ${describeType(field, root, depth - 1)}`,
  )
  return `{${parts.join(', ')}}`
}

export function describeField({ schema }: SchemaField): string {
  return typeof schema.description === 'string' ? schema.description.replace(/\s+/g, ' ').trim() : ''
}

function fieldsIn(schema: JsonObject, root: JsonObject): SchemaField[] {
  const { properties, required } = schema
  if (!isObject(properties)) return []
  const needed = Array.isArray(required) ? required : []
  const fields = Object.entries(properties).map(
    ([name, value]): SchemaField => ({
      name,
      schema: isObject(value) ? resolve(value, root) : {},
      required: needed.includes(name),
    }),
  )
  return [...fields.filter((field) => field.required), ...fields.filter((field) => !field.required)]
}

function optionsOf(schema: JsonObject): JsonObject[] {
  const options = schema.anyOf ?? schema.oneOf
  return Array.isArray(options) ? options.filter(isObject) : []
}

function resolve(schema: JsonObject, root: JsonObject): JsonObject {
  let found = schema
  for (let followed = 0; followed < mostReferences; followed += 1) {
    const { $ref: reference, allOf, ...own } = found
    if (typeof reference === 'string' && reference.startsWith('#/')) {
      found = { ...lookUp(root, reference), ...own }
    } else if (Array.isArray(allOf) && allOf.length === 1 && isObject(allOf[0])) {
      found = { ...allOf[0], ...own }
    } else {
      return found
    }
  }
  return {}
}

function lookUp(root: JsonObject, reference: string): JsonObject {
  const names = reference.slice(2).split('/')
  let found: Json | undefined = root
  for (const name of names) {
    const key = decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~')
    found = isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined
  }
  return isObject(found) ? found : {}
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
