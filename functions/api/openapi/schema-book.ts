import { z } from 'zod'

export type Piece = { [key: string]: unknown }

/**
 * The side a schema is written for: the sender's (`input`, fields with a default are optional) or the reader's
 * (`output`).
 */
export type Side = 'input' | 'output'

const marker = /^espalier:(input|output)\/(.+)$/

/**
 * Collects the named schemas that a document refers to. zod writes the JSON Schemas. The library in `OpenAPIHono`
 * supports neither recursive schemas nor names set by `.meta({ id })`.
 */
export function schemaBook(): {
  write(schema: z.core.$ZodType, side: Side): Piece
  finish(document: Piece): { document: Piece; schemas: Record<string, Piece> }
} {
  const named = new Map<string, Partial<Record<Side, Piece>>>()

  function write(schema: z.core.$ZodType, side: Side): Piece {
    const { $schema: _, $defs = {}, ...own } = z.toJSONSchema(schema, { io: side, override: tidy(side) })
    for (const [id, definition] of Object.entries($defs)) {
      if (!id.startsWith('__')) named.set(id, { ...named.get(id), [side]: point(definition, side) })
    }
    return point(own, side)
  }

  function finish(document: Piece): { document: Piece; schemas: Record<string, Piece> } {
    const twofold = differingNames(named)
    const name = (side: string, id: string) => (side === 'input' && twofold.has(id) ? `${id}Input` : id)
    const resolve = (piece: Piece) =>
      mapReferences(piece, (reference) => {
        const [, side = '', id = ''] = marker.exec(reference) ?? []
        return { $ref: `#/components/schemas/${name(side, id)}` }
      })
    const schemas: Record<string, Piece> = {}
    for (const [id, sides] of [...named].toSorted()) {
      for (const side of ['output', 'input'] as const) {
        const definition = sides[side]
        if (definition !== undefined) schemas[name(side, id)] ??= resolve(definition)
      }
    }
    return { document: resolve(document), schemas }
  }

  return { write, finish }
}

function differingNames(named: ReadonlyMap<string, Partial<Record<Side, Piece>>>): Set<string> {
  const differing = new Set<string>()
  for (let size = -1; size < differing.size; ) {
    size = differing.size
    for (const [id, { input, output }] of named) {
      if (input === undefined || output === undefined) continue
      const plain = (piece: Piece) =>
        JSON.stringify(
          mapReferences(piece, (reference) => {
            const target = marker.exec(reference)?.[2] ?? ''
            return { $ref: differing.has(target) ? reference : target }
          }),
        )
      if (plain(input) !== plain(output)) differing.add(id)
    }
  }
  return differing
}

/** Points references to their side. A reference to an unnamed recursive schema means `z.json()`: any JSON. */
function point(piece: object, side: Side): Piece {
  return mapReferences({ ...piece }, (reference) => {
    const id = reference.replace('#/$defs/', '')
    return id.startsWith('__') ? {} : { $ref: `espalier:${side}/${id}` }
  })
}

function mapReferences(piece: Piece, change: (reference: string) => Piece): Piece {
  const changed = JSON.parse(JSON.stringify(piece), (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('$ref' in value) || typeof value.$ref !== 'string')
      return value
    const { $ref, ...beside } = value
    return { ...change($ref as string), ...beside }
  })
  return changed as Piece
}

/** Removes keywords that only describe zod's checks, and allows answers to gain fields without breaking readers. */
function tidy(side: Side) {
  return ({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: Piece }): void => {
    if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
    delete jsonSchema.id
    const { def } = zodSchema._zod
    if (side === 'output' && def.type === 'object' && def.catchall === undefined)
      delete jsonSchema.additionalProperties
  }
}
