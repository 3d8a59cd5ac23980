import type { JsonObject } from '../../core/contracts/json.ts'
import { clipText } from '../../core/contracts/well-formed.ts'
import { fieldsOf, isObject, isText } from './json-schema.ts'
import { readJson } from './read-json.ts'

export interface Tool {
  readonly name: string
  readonly description: string
  readonly schema: JsonObject
}

export interface ToolCall {
  readonly name: string
  readonly arguments: JsonObject
}

export type ActionReading<Action> = { readonly action: Action } | { readonly feedback: string }

// A call of any other name can be written only as a JSON object.
export const plainName = /^[^\s{]+(?: [^\s{]+)*$/

const longestShown = 80

/**
 * Reads an agent's text as a tool call. Accepted forms:
 * - the tool's name and its arguments as a JSON object;
 * - the name alone, for no arguments;
 * - the name and a text, if the tool's only argument, or only required one, is a text;
 * - `{"name": …, "arguments": {…}}`, as APIs of models write calls.
 * The server validates the arguments.
 * @example
 * readToolCall('get_weather {"city": "Bonn"}', tools)
 * // { action: { name: 'get_weather', arguments: { city: 'Bonn' } } }
 */
export function readToolCall(text: string, tools: readonly Tool[]): ActionReading<ToolCall> {
  const written = text.toWellFormed().trim()
  if (written === '') return { feedback: `The action is empty. ${howToCall(tools)}` }
  if (written.startsWith('{')) return readObject(written, tools)
  const tool = findCalled(written, tools)
  if (tool !== undefined) return readArguments(tool, written.slice(tool.name.length).trim())
  const [name = written] = /^[^\s{(]+/.exec(written) ?? []
  return { feedback: unknownTool(name, tools) }
}

// Names may have spaces, so one can begin with another.
function findCalled(written: string, tools: readonly Tool[]): Tool | undefined {
  const called = tools.filter(
    ({ name }) =>
      plainName.test(name) && written.startsWith(name) && /^(?:$|[\s{(])/.test(written.slice(name.length)),
  )
  return called.toSorted((one, other) => other.name.length - one.name.length)[0]
}

function readObject(written: string, tools: readonly Tool[]): ActionReading<ToolCall> {
  const value = readJson(written)
  if (!isObject(value)) return { feedback: `The action is no JSON object. ${howToCall(tools)}` }
  const name = value.name ?? value.tool_name
  const given = value.arguments ?? {}
  if (typeof name !== 'string') return { feedback: `The action names no tool. ${howToCall(tools)}` }
  if (!tools.some((tool) => tool.name === name)) return { feedback: unknownTool(name, tools) }
  if (isObject(given)) return { action: { name, arguments: given } }
  return { feedback: `The arguments of ${name} are no JSON object. ${howToCall(tools)}` }
}

function readArguments(tool: Tool, rest: string): ActionReading<ToolCall> {
  const { name } = tool
  if (rest === '') return { action: { name, arguments: {} } }
  const bare = /^\((.*)\)$/s.exec(rest)?.[1]?.trim() ?? rest
  if (bare === '') return { action: { name, arguments: {} } }
  const value = bare.startsWith('{') || bare.startsWith('"') ? readJson(bare) : undefined
  if (isObject(value)) return { action: { name, arguments: value } }
  const only = textArgument(tool)
  if (only !== undefined) {
    return { action: { name, arguments: { [only]: typeof value === 'string' ? value : rest } } }
  }
  return {
    feedback: `The arguments of ${name} are no JSON object. Write: ${name} ${describeExample(tool)}`,
  }
}

export function textArgument({ schema }: Tool): string | undefined {
  const fields = fieldsOf(schema)
  const required = fields.filter((field) => field.required)
  const candidates = required.length > 0 ? required : fields
  const [only] = candidates
  return candidates.length === 1 && only !== undefined && isText(only) ? only.name : undefined
}

function describeExample({ schema }: Tool): string {
  const fields = fieldsOf(schema)
  return fields.length === 0 ? '{}' : `{${fields.map(({ name }) => `${JSON.stringify(name)}: …`).join(', ')}}`
}

function unknownTool(name: string, tools: readonly Tool[]): string {
  const shown = name.length <= longestShown ? name : `${clipText(name, longestShown)}…`
  return `There is no tool "${shown}". ${howToCall(tools)}`
}

function howToCall(tools: readonly Tool[]): string {
  const names = tools.map(({ name }) => name).join(', ')
  return `Write a tool's name and its arguments as a JSON object, such as: name {"argument": "value"}. The tools are: ${names}.`
}
