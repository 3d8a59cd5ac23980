import type { Json } from '../../../shared/core/contracts/json.ts'
import { type FieldShape, isSame, type NumberShape, type SchemaField } from './read-fields.ts'

const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

/**
 * Parses the entered text for a field; undefined if it is empty. Unparsable text is returned unchanged, so no other
 * value is ever sent instead. {@link problemOf} describes its error.
 */
export function parseText(shape: FieldShape, text: string): Json | undefined {
  switch (shape.kind) {
    case 'number':
      return text.trim() === '' ? undefined : (parseDecimal(text) ?? text)
    case 'numbers': {
      if (text.trim() === '') return undefined
      const numbers = text.split(',').map(parseDecimal)
      return numbers.every((number) => number !== null) ? numbers : text
    }
    case 'lines': {
      const lines = text.split('\n').flatMap((line) => line.trim() || [])
      return lines.length === 0 ? undefined : lines
    }
    case 'json':
      return text.trim() === '' ? undefined : parseJson(text)
    default:
      return text === '' ? undefined : text
  }
}

function parseDecimal(text: string): number | null {
  const number = decimal.test(text.trim()) ? Number(text) : Number.NaN
  return Number.isFinite(number) ? number : null
}

function parseJson(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}

export function toText(shape: FieldShape, value: Json | undefined): string {
  if (value === undefined || (value === null && shape.kind !== 'json')) return ''
  if (typeof value === 'string') {
    // A JSON string that would parse as another value keeps its quotes.
    return shape.kind === 'json' && parseJson(value) !== value ? JSON.stringify(value) : value
  }
  if (shape.kind === 'lines' && Array.isArray(value)) return value.map(String).join('\n')
  if (shape.kind === 'numbers' && Array.isArray(value)) return value.map(String).join(', ')
  return JSON.stringify(value)
}

export function problemOf(
  { isNullable, isRequired, shape }: SchemaField,
  value: Json | undefined,
): string | null {
  if (value === undefined) return isRequired ? 'It must be given.' : null
  if (value === null && isNullable) return null
  switch (shape.kind) {
    case 'number':
      return numberProblem(shape, value)
    case 'text':
      if (typeof value !== 'string') return 'It must be text.'
      return shape.longest !== null && value.length > shape.longest
        ? `At most ${shape.longest} characters.`
        : null
    case 'choice':
      return shape.choices.some((choice) => isSame(choice, value)) ? null : 'Choose one of these.'
    case 'switch':
      return typeof value === 'boolean' ? null : 'It must be on or off.'
    case 'lines':
      return Array.isArray(value) ? null : 'It must be a list.'
    case 'numbers':
      if (!Array.isArray(value)) return 'It must be numbers, separated by commas.'
      if (shape.longest !== null && value.length > shape.longest) return `At most ${shape.longest} numbers.`
      return value.map((each) => numberProblem(shape.each, each)).find((problem) => problem !== null) ?? null
    default:
      return null
  }
}

function numberProblem(shape: NumberShape, value: Json): string | null {
  if (typeof value !== 'number') return shape.isWhole ? 'It must be a whole number.' : 'It must be a number.'
  const { exclusiveMinimum, isWhole, maximum, minimum, multipleOf } = shape
  if (isWhole && !Number.isInteger(value)) return 'It must be a whole number.'
  if (minimum !== null && value < minimum) return `At least ${minimum}.`
  if (exclusiveMinimum !== null && value <= exclusiveMinimum) return `More than ${exclusiveMinimum}.`
  if (maximum !== null && value > maximum) return `At most ${maximum}.`
  return multipleOf !== null && value % multipleOf !== 0 ? `It must be a multiple of ${multipleOf}.` : null
}

export function describeDefault({ fallback, shape }: SchemaField): string {
  if (fallback === undefined) return ''
  return `default: ${fallback === null ? 'none' : toText(shape, fallback)}`
}
