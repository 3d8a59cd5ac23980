import type { Json, JsonObject } from '../../../shared/core/contracts/json.ts'

export interface NumberShape {
  kind: 'number'
  isWhole: boolean
  minimum: number | null
  exclusiveMinimum: number | null
  maximum: number | null
  multipleOf: number | null
}

export type FieldShape =
  | { kind: 'text'; longest: number | null }
  | { kind: 'choice'; choices: Json[] }
  | NumberShape
  | { kind: 'switch' }
  | { kind: 'lines' }
  | { kind: 'numbers'; each: NumberShape; longest: number | null }
  | { kind: 'json' }

export interface SchemaField {
  name: string
  description: string | null
  fallback: Json | undefined
  isRequired: boolean
  isNullable: boolean
  shape: FieldShape
}

export function readFields(schema: JsonObject, value: JsonObject): SchemaField[] {
  const variants = variantsOf(schema)
  const deciding = decidingName(variants)
  if (deciding === null) return fieldsOf(variants[0] ?? {})
  const each = variants.map((variant) => fieldsOf(variant))
  const deciders = each.flatMap((fields) => fields.filter(({ name }) => name === deciding))
  const fallback = deciders.find((field) => field.fallback !== undefined)?.fallback
  const chosen = value[deciding] ?? fallback
  const at = deciders.findIndex(({ shape }) => choicesIn(shape).some((choice) => isSame(choice, chosen)))
  const merged: SchemaField = {
    name: deciding,
    description: deciders.find(({ description }) => description !== null)?.description ?? null,
    fallback,
    isRequired: fallback === undefined,
    isNullable: false,
    shape: { kind: 'choice', choices: deciders.flatMap(({ shape }) => choicesIn(shape)) },
  }
  const others = each[Math.max(0, at)] ?? []
  return others.map((field) => (field.name === deciding ? merged : field))
}

export function isSame(left: Json | undefined, right: Json | undefined): boolean {
  return canonical(left) === canonical(right)
}

function canonical(value: Json | undefined): string | undefined {
  return JSON.stringify(value, (_, each: Json) =>
    isObject(each) ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1))) : each,
  )
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function variantsOf(schema: JsonObject): JsonObject[] {
  return Array.isArray(schema.anyOf) ? schema.anyOf.filter(isObject) : [schema]
}

function decidingName(variants: JsonObject[]): string | null {
  const [first, ...others] = variants.map((variant) =>
    fieldsOf(variant).flatMap(({ name, shape }) => (shape.kind === 'choice' ? [name] : [])),
  )
  if (first === undefined || others.length === 0) return null
  return first.find((name) => others.every((names) => names.includes(name))) ?? null
}

function fieldsOf(schema: JsonObject): SchemaField[] {
  const required = Array.isArray(schema.required) ? schema.required : []
  return Object.entries(isObject(schema.properties) ? schema.properties : {}).map(([name, stated]) =>
    fieldOf(name, isObject(stated) ? stated : {}, required.includes(name)),
  )
}

function fieldOf(name: string, stated: JsonObject, isRequired: boolean): SchemaField {
  const branches = Array.isArray(stated.anyOf) ? stated.anyOf.filter(isObject) : []
  const others = branches.filter(({ type }) => type !== 'null')
  const isNullable = others.length < branches.length
  const [only] = others
  const own = isNullable && others.length === 1 && only !== undefined ? only : stated
  return {
    name,
    description: typeof stated.description === 'string' ? stated.description : null,
    fallback: stated.default,
    isRequired,
    isNullable,
    shape: shapeOf(own),
  }
}

function shapeOf(stated: JsonObject): FieldShape {
  if (stated.const !== undefined) return { kind: 'choice', choices: [stated.const] }
  if (Array.isArray(stated.enum)) return { kind: 'choice', choices: stated.enum }
  switch (stated.type) {
    case 'string':
      return { kind: 'text', longest: numberAt(stated, 'maxLength') }
    case 'boolean':
      return { kind: 'switch' }
    case 'integer':
    case 'number':
      return numberShapeOf(stated)
    case 'array':
      return listShapeOf(stated)
    default:
      return { kind: 'json' }
  }
}

function numberShapeOf(stated: JsonObject): NumberShape {
  return {
    kind: 'number',
    isWhole: stated.type === 'integer',
    minimum: numberAt(stated, 'minimum'),
    exclusiveMinimum: numberAt(stated, 'exclusiveMinimum'),
    maximum: numberAt(stated, 'maximum'),
    multipleOf: numberAt(stated, 'multipleOf'),
  }
}

function listShapeOf(stated: JsonObject): FieldShape {
  const items = isObject(stated.items) ? stated.items : {}
  if (items.type === 'string') return { kind: 'lines' }
  if (items.type !== 'number' && items.type !== 'integer') return { kind: 'json' }
  return { kind: 'numbers', each: numberShapeOf(items), longest: numberAt(stated, 'maxItems') }
}

function choicesIn(shape: FieldShape): Json[] {
  return shape.kind === 'choice' ? shape.choices : []
}

function numberAt(stated: JsonObject, name: string): number | null {
  const value = stated[name]
  return typeof value === 'number' ? value : null
}
