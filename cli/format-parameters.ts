import type { Json, JsonObject } from '../shared/core/contracts/json.ts'
import { toLine, wrap } from './fit-text.ts'

const indent = 6

interface Parameter {
  name: string
  fallback: string | null
  takes: string
  description: string
}

interface Variant {
  when: string | null
  parameters: Parameter[]
}

export function listParameters(schema: JsonObject, width: number): string[] {
  return variantsOf(schema).flatMap(({ when, parameters: own }) =>
    hang(
      `  ${when === null ? '' : `with ${when}: `}${own.map(({ name, fallback }) => `${name}${fallback === null ? '' : `=${fallback}`}`).join(' ')}`,
      { width, by: 4 },
    ),
  )
}

interface Manner {
  flag: string
  title: string
}

const ofMethods: Manner = { flag: '--set', title: 'Parameters' }

export function describeParameters(schema: JsonObject, width: number, manner = ofMethods): string[] {
  return variantsOf(schema).flatMap((variant) => formatVariant(variant, width, manner))
}

function formatVariant({ when, parameters }: Variant, width: number, { flag, title }: Manner): string[] {
  return [
    '',
    when === null ? `${title}:` : `${title} with ${when}:`,
    ...parameters.flatMap(({ description, fallback, name, takes }) => [
      `  ${flag} ${name}=${fallback ?? '…'}${takes === '' ? '' : `  (${takes})`}`,
      ...(description === ''
        ? []
        : wrap(toLine(description), width - indent).map((line) => ' '.repeat(indent) + line)),
    ]),
  ].flatMap((line) => hang(line, { width, by: indent }))
}

function variantsOf(schema: JsonObject): Variant[] {
  const variants = Array.isArray(schema.anyOf) ? schema.anyOf.filter(isObject) : [schema]
  const properties = variants.map((variant) => (isObject(variant.properties) ? variant.properties : {}))
  const [first = {}] = properties
  const deciding = Object.keys(first).find((name) =>
    properties.every((own) => choicesOf(own[name]).length > 0),
  )
  return properties.map((own) => ({
    when:
      properties.length === 1 || deciding === undefined
        ? null
        : `${deciding}=${choicesOf(own[deciding]).join(', ')}`,
    parameters: Object.entries(own).map(([name, parameter]) => toParameter(name, parameter)),
  }))
}

function toParameter(name: string, schema: Json): Parameter {
  if (!isObject(schema)) return { name, fallback: null, takes: '', description: '' }
  const { default: fallback, description, type } = schema
  const choices = choicesOf(schema)
  const isFixed = choices.length === 1
  return {
    name,
    fallback: fallback === undefined ? (isFixed ? String(choices[0]) : null) : toSetting(fallback),
    takes: isFixed ? '' : choices.length > 1 ? choices.join(', ') : takenBy(type),
    description: typeof description === 'string' ? description : '',
  }
}

function takenBy(type: Json | undefined): string {
  if (type === 'array') return 'a JSON list: \'["a","b"]\''
  return typeof type === 'string' ? type : ''
}

function choicesOf(schema: Json | undefined): string[] {
  if (!isObject(schema)) return []
  if (schema.const !== undefined) return [toSetting(schema.const)]
  return Array.isArray(schema.enum) ? schema.enum.map(toSetting) : []
}

function toSetting(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export function hang(line: string, { width, by }: { width: number; by: number }): string[] {
  const start = /^ */.exec(line)?.[0] ?? ''
  return wrap(toLine(line), width - by).map((part, at) => (at === 0 ? start : ' '.repeat(by)) + part)
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
