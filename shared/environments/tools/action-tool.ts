import { z } from 'zod'
import { type Json, type JsonObject, jsonObjectSchema } from '../../core/contracts/json.ts'
import { clipText } from '../../core/contracts/well-formed.ts'
import { describeType, fieldsOf, isObject } from './json-schema.ts'
import type { Tool, ToolCall } from './tool-call.ts'

/**
 * One kind of action as a tool that models call. Each call has exactly one action text, so that a tree does not
 * depend on whether its model wrote the text or called the tool.
 * @example
 * const get: ActionTool = {
 *   name: 'get',
 *   description: 'Fetches items that no recipe makes.',
 *   schema: { type: 'object', properties: { count: { type: 'integer' }, item: { type: 'string' } }, required: ['count', 'item'] },
 *   action: 'get {count} {item}',
 * }
 */
export interface ActionTool extends Tool {
  /**
   * The action text of a call. `{name}` is the argument of that name, `{*}` all arguments as a JSON object. A list is
   * written with commas between its items.
   */
  readonly action: string
  /** The texts of list items that are objects, by the name of the argument, such as `{count} {item}`. */
  readonly items?: Readonly<Record<string, string>>
}

export const actionToolSchema = z.object({
  name: z.string().regex(/^[\w-]{1,64}$/),
  description: z.string(),
  schema: jsonObjectSchema,
  action: z.string().min(1),
  items: z.record(z.string(), z.string()).exactOptional(),
})

/** The tool of an environment that declares none: its one argument is the action text. */
export const actTool: ActionTool = {
  name: 'act',
  description: 'Takes one action.',
  schema: {
    type: 'object',
    properties: { action: { type: 'string', description: 'The action, in the form that the rules give.' } },
    required: ['action'],
    additionalProperties: false,
  },
  action: '{action}',
}

/**
 * A tool whose arguments are the slots of its action text, each a text.
 * @example
 * verbTool('go to {receptacle}', 'Walks there.') // the tool go_to
 */
export function verbTool(action: string, description: string, name = nameOf(action)): ActionTool {
  const slots = [...new Set([...action.matchAll(slot)].map(([, each = '']) => each))]
  const schema = {
    type: 'object',
    properties: Object.fromEntries(slots.map((each) => [each, { type: 'string', minLength: 1 }])),
    required: slots,
    additionalProperties: false,
  }
  return { name, description, schema, action }
}

function nameOf(action: string): string {
  const [words = ''] = action.split(/[{[(]/, 1)
  return words.trim().replace(/[^\w]+/g, '_')
}

export type CallReading = { readonly action: string } | { readonly feedback: string }

const slot = /\{(\*|\w+)\}/g
const longestShown = 80
const mostIssues = 3

export function actionOfCall(
  { name, arguments: given }: ToolCall,
  tools: readonly ActionTool[],
): CallReading {
  const tool = tools.find((candidate) => candidate.name === name)
  if (tool === undefined) {
    const known = tools.map((candidate) => candidate.name).join(', ')
    return { feedback: `There is no tool "${clipText(name, longestShown)}". The tools are: ${known}.` }
  }
  const slots = new Set([...tool.action.matchAll(slot)].map(([, each]) => each))
  // Spaces at the ends are lost in the text of a slot, but not in JSON.
  const values = settleArguments(tool.schema, given, (argument) => slots.has(argument))
  const { success, error } = checkerOf(tool).safeParse(values)
  if (success) return { action: fillAction(tool, values) }
  const faults = error.issues.slice(0, mostIssues).map(({ path, message }) => {
    const place = path.length === 0 ? 'The arguments' : `"${path.join('.')}"`
    return `${place}: ${message}.`
  })
  return {
    feedback: `The arguments of ${name} do not fit. ${faults.join(' ')} They are ${describeType(tool.schema, tool.schema)}.`,
  }
}

export function callOfAction(action: string, tools: readonly ActionTool[]): ToolCall | null {
  const written = action.trim()
  for (const tool of tools) {
    const values = matchAction(tool, written)
    if (values === null || !checkerOf(tool).safeParse(values).success) continue
    if (fillAction(tool, values) === written) return { name: tool.name, arguments: values }
  }
  return null
}

const checkers = new WeakMap<Tool, z.ZodType>()

function checkerOf(tool: Tool): z.ZodType {
  const known = checkers.get(tool)
  if (known !== undefined) return known
  const checker = readSchema(tool.schema) ?? z.looseObject(Object.fromEntries(requiredFields(tool.schema)))
  checkers.set(tool, checker)
  return checker
}

// Null for a schema with keywords that Zod lacks: then the environment checks the values.
function readSchema(schema: JsonObject): z.ZodType | null {
  const defaultTarget = schema.definitions === undefined ? 'draft-2020-12' : 'draft-7'
  try {
    return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0], { defaultTarget })
  } catch {
    return null
  }
}

function requiredFields(schema: JsonObject): [name: string, type: z.ZodType][] {
  return fieldsOf(schema).flatMap(({ name, required }) => (required ? [[name, z.json()]] : []))
}

/**
 * Models write numbers as texts and texts as numbers: both have the same action text.
 * @param trims - true for the name of an argument that loses the spaces at its ends
 */
function settleArguments(
  schema: JsonObject,
  given: JsonObject,
  trims: (name: string) => boolean,
): JsonObject {
  const types = new Map(fieldsOf(schema).map(({ name, schema: field }) => [name, field]))
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, settleValue(value, types.get(name), trims(name))]),
  )
}

function settleValue(value: Json, schema: JsonObject | undefined, trims: boolean): Json {
  if (schema === undefined) return value
  if (schema.type === 'array' && Array.isArray(value) && isObject(schema.items)) {
    const { items } = schema
    return value.map((item) =>
      isObject(item) ? settleArguments(items, item, () => trims) : settleValue(item, items, trims),
    )
  }
  if ((schema.type === 'integer' || schema.type === 'number') && typeof value === 'string') {
    const number = value.trim() === '' ? Number.NaN : Number(value)
    return Number.isFinite(number) ? number : value
  }
  if (schema.type === 'string' && (typeof value === 'number' || typeof value === 'boolean'))
    return String(value)
  // Content is kept to its last space: a program, or a text to type.
  const isContent = typeof schema.contentMediaType === 'string'
  return typeof value === 'string' && trims && !isContent ? value.trim() : value
}

function fillAction({ action, items = {}, schema }: ActionTool, values: JsonObject): string {
  return action.replace(slot, (_, name: string) =>
    name === '*' ? writeArguments(schema, values) : writeValue(values[name], items[name]),
  )
}

function writeValue(value: Json | undefined, item: string | undefined): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.map((each) => writeItem(each, item)).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function writeItem(value: Json, item: string | undefined): string {
  if (item === undefined || !isObject(value)) return writeValue(value, undefined)
  return item.replace(slot, (_, name: string) => writeValue(value[name], undefined))
}

/** Arguments in the order of the schema, as Python writes JSON, which is how models usually write it. */
function writeArguments(schema: JsonObject, values: JsonObject): string {
  const order = fieldsOf(schema).map(({ name }) => name)
  const names = Object.keys(values).toSorted((one, other) => rank(order, one) - rank(order, other))
  return spacedJson(Object.fromEntries(names.map((name) => [name, values[name] as Json])))
}

function rank(order: readonly string[], name: string): number {
  const place = order.indexOf(name)
  return place < 0 ? order.length : place
}

function spacedJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(spacedJson).join(', ')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const fields = Object.entries(value).map(([name, field]) => `${JSON.stringify(name)}: ${spacedJson(field)}`)
  return `{${fields.join(', ')}}`
}

function matchAction({ action, items = {}, schema }: ActionTool, written: string): JsonObject | null {
  const fields = new Map(fieldsOf(schema).map(({ name, schema: field }) => [name, field]))
  const found = matchTemplate(action, written)
  if (found === null) return null
  const values: JsonObject = {}
  for (const [name, text] of found) {
    const field = fields.get(name)
    if (name === '*') {
      const given = parseObject(text)
      if (given === null) return null
      Object.assign(values, given)
    } else if (field?.type === 'array') {
      const list = readList(text, field, items[name])
      if (list === null) return null
      values[name] = list
    } else values[name] = settleValue(text, field, true)
  }
  return values
}

function readList(text: string, field: JsonObject, item: string | undefined): Json[] | null {
  const schema = isObject(field.items) ? field.items : {}
  const list: Json[] = []
  for (const part of text.split(',').map((each) => each.trim())) {
    if (item === undefined) list.push(settleValue(part, schema, true))
    else {
      const found = matchTemplate(item, part)
      if (found === null) return null
      list.push(settleArguments(schema, Object.fromEntries(found), () => true))
    }
  }
  return list
}

/** The texts of a template's slots; a slot is as short as the rest allows. */
function matchTemplate(template: string, written: string): [name: string, text: string][] | null {
  const names: string[] = []
  const source = template
    .split(/(\{(?:\*|\w+)\})/)
    .map((part) => {
      const [, name] = /^\{(\*|\w+)\}$/.exec(part) ?? []
      if (name === undefined) return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      names.push(name)
      return '([^]+?)'
    })
    .join('')
  const match = new RegExp(`^${source}$`).exec(written)
  return match === null ? null : names.map((name, place) => [name, match[place + 1] ?? ''])
}

function parseObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}
