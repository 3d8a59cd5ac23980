import type { JsonObject } from '../../core/contracts/json.ts'
import type { ActionTool } from './action-tool.ts'
import { fieldsOf } from './json-schema.ts'
import { plainName, type Tool } from './tool-call.ts'

const refusedCharacters = /[^\w-]/g
const longestName = 64

/**
 * A server's tools as the agent calls them: each name is unique and one that providers accept, and the action has the
 * server's own name. The names do not depend on the order of the list.
 * @example
 * calledTools([{ name: 'fs.edit', description, schema }]) // the tool fs_edit, with the action fs.edit {*}
 */
export function calledTools(tools: readonly Tool[]): ActionTool[] {
  const firsts = new Map(tools.toReversed().map((tool) => [tool.name, tool]))
  const names = uniqueNames([...firsts.keys()])
  return tools
    .filter((tool) => firsts.get(tool.name) === tool)
    .map(({ name, description, schema }) => ({
      name: names.get(name) ?? name,
      description,
      schema,
      action: actionOf(name, takesArguments(schema)),
    }))
}

export function tidyName(name: string): string {
  return name.replaceAll(refusedCharacters, '_').slice(0, longestName) || '_'
}

function uniqueNames(originals: readonly string[]): Map<string, string> {
  const names = new Map(originals.filter((name) => tidyName(name) === name).map((name) => [name, name]))
  const taken = new Set(names.keys())
  for (const original of originals.filter((name) => !taken.has(name)).toSorted()) {
    const tidied = tidyName(original)
    let name = tidied
    for (let count = 2; taken.has(name); count += 1) {
      const suffix = `_${count}`
      name = `${tidied.slice(0, longestName - suffix.length)}${suffix}`
    }
    taken.add(name)
    names.set(original, name)
  }
  return names
}

// An empty schema states nothing: OpenEnv's servers may leave it out.
function takesArguments(schema: JsonObject): boolean {
  const { additionalProperties = false, anyOf, oneOf, allOf, patternProperties } = schema
  const isOpen = additionalProperties !== false || Object.keys(schema).length === 0
  const isCombined = [anyOf, oneOf, allOf, patternProperties].some((each) => each !== undefined)
  return fieldsOf(schema).length > 0 || isOpen || isCombined
}

function actionOf(name: string, isCalledWithArguments: boolean): string {
  if (plainName.test(name)) return isCalledWithArguments ? `${name} {*}` : name
  // Escaped, because a brace in the name could look like a slot.
  const written = JSON.stringify(name).replaceAll('{', '\\u007b')
  return `{"name": ${written}${isCalledWithArguments ? ', "arguments": {*}' : ''}}`
}
