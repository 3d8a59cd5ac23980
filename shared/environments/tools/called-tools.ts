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
      action: actionOf(name, fieldsOf(schema).length > 0),
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

function actionOf(name: string, takesArguments: boolean): string {
  if (plainName.test(name)) return takesArguments ? `${name} {*}` : name
  // Escaped, because a brace in the name could look like a slot.
  const written = JSON.stringify(name).replaceAll('{', '\\u007b')
  return `{"name": ${written}${takesArguments ? ', "arguments": {*}' : ''}}`
}
