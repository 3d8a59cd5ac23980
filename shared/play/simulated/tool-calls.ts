import type { JsonObject } from '../../core/contracts/json.ts'
import type { MessageCall } from '../../core/contracts/message.ts'
import { readAction } from '../../environments/simulated/policy.ts'
import { type ActionTool, actionOfCall, callOfAction } from '../../environments/tools/action-tool.ts'
import { isArguments } from '../answers/read-text-calls.ts'

interface OfferedFunction {
  function: { name: string; description: string; parameters: JsonObject }
}

const form = / In the rules: ([\s\S]+)$/

export function readOfferedTools(tools: readonly OfferedFunction[]): ActionTool[] {
  return tools.flatMap(({ function: { name, description, parameters: schema } }) => {
    const action = form.exec(description)?.[1]
    return action === undefined ? [] : [{ name, description, schema, action, ...itemsIn(schema) }]
  })
}

function itemsIn({ properties }: JsonObject): Pick<ActionTool, 'items'> {
  if (!isArguments(properties)) return {}
  const items = Object.entries(properties as JsonObject).flatMap(([name, field]) => {
    const item = isArguments(field) ? (field as JsonObject).items : undefined
    const fields = isArguments(item) ? (item as JsonObject).properties : undefined
    return isArguments(fields)
      ? [
          [
            name,
            Object.keys(fields)
              .map((each) => `{${each}}`)
              .join(' '),
          ] as const,
        ]
      : []
  })
  return items.length === 0 ? {} : { items: Object.fromEntries(items) }
}

export function writeAsText(
  content: string,
  calls: readonly MessageCall[],
  tools: readonly ActionTool[],
): string {
  const actions = calls.map(({ function: { name, arguments: given } }) => {
    const read = actionOfCall({ name, arguments: JSON.parse(given) as JsonObject }, tools)
    return 'action' in read ? `Action: ${read.action}` : `Action: ${name} ${given}`
  })
  if (actions.length === 0) return content
  return [...(content === '' ? [] : [`Thought: ${content}`]), ...actions].join('\n')
}

export function callTool(
  text: string,
  tools: readonly ActionTool[],
): { content: string | null; tool_calls: MessageCall[] } | null {
  const action = tools.length === 0 ? null : readAction(text)
  const call = action === null ? null : callOfAction(action, tools)
  if (call === null) return null
  const thought = text
    .slice(0, text.lastIndexOf('Action:'))
    .replace(/^\s*Thought:/, '')
    .trim()
  const made = { name: call.name, arguments: JSON.stringify(call.arguments) }
  return {
    content: thought === '' ? null : thought,
    tool_calls: [{ id: `call_${call.name}`, type: 'function', function: made }],
  }
}
