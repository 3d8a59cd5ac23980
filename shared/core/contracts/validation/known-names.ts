import { z } from 'zod'

export function knownNames(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  const inner = unwrap(schema)
  const [key, ...rest] = path
  if (inner instanceof z.ZodIntersection) {
    return [...new Set([...knownNames(inner.def.left, path), ...knownNames(inner.def.right, path)])]
  }
  if (key === undefined) return ownNames(inner)
  const below = schemaBelow(inner, key)
  return below === undefined ? [] : knownNames(below, rest)
}

function ownNames(schema: z.core.$ZodType): string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape)
  return schema instanceof z.ZodRecord && schema.keyType instanceof z.ZodEnum
    ? schema.keyType.options.map(String)
    : []
}

function schemaBelow(schema: z.core.$ZodType, key: PropertyKey): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodObject) return schema.shape[String(key)]
  if (schema instanceof z.ZodRecord) return schema.valueType
  if (schema instanceof z.ZodArray) return schema.element
  if (schema instanceof z.ZodTuple) return schema.def.items[Number(key)]
  return undefined
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  const wraps =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodReadonly
  return wraps ? unwrap(schema.def.innerType) : schema
}
