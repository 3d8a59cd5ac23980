import { clipText } from '../../core/contracts/well-formed.ts'
import { describeField, describeType, fieldsOf } from './json-schema.ts'
import { type Tool, textArgument } from './tool-call.ts'

const longestDescription = 2000

export function describeTools(tools: readonly Tool[]): string {
  return `Each action is the call of one tool: its name and then its arguments as a JSON object, on one line, such as: name {"argument": "value"}

Tools:
${tools.map(describeTool).join('\n')}`
}

function describeTool(tool: Tool): string {
  const { name, description, schema } = tool
  const fields = fieldsOf(schema)
  const said = clipText(description.trim(), longestDescription).replaceAll('\n', '\n  ')
  const text = textArgument(tool)
  const lines = [
    `- ${name}${fields.length === 0 ? '' : ` ${describeType(schema, schema)}`}${said === '' ? '' : `: ${said}`}`,
    ...fields
      .map((field) => ({ field, description: describeField(field) }))
      .filter(({ description }) => description !== '')
      .map(({ field, description }) => `  ${field.name}: ${description}`),
    ...(text === undefined ? [] : [`  May also be written: ${name} ${text.toUpperCase()}`]),
  ]
  return lines.join('\n')
}
