import { z } from 'zod'
import { type JsonObject, jsonObjectSchema } from '../../core/contracts/json.ts'
import type { Message } from '../../core/contracts/message.ts'
import type { Trajectory } from '../../core/contracts/trajectory.ts'

export type InspectMessage = JsonObject & { id: string; role: string; content: string }

const callSchema = z.tuple([z.string(), z.string(), jsonObjectSchema])

export function readActionCall(action: string): { function: string; arguments: JsonObject } | null {
  const found = /^([A-Za-z_][\w.-]*)\s*(\{[\s\S]*\})\s*$/.exec(action.trim())
  if (found === null) return null
  const [, name, text = ''] = found
  try {
    const [called, , given] = callSchema.parse([name, text, JSON.parse(text)])
    return { function: called, arguments: given }
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return null
    throw error
  }
}

export function toInspectMessage(message: Message, id: string): InspectMessage {
  const { role, content, pictures } = message
  const names = pictures?.map(({ sha256, media_type }) => `[picture ${media_type} sha256:${sha256}]`) ?? []
  return { id, role, content: [content, ...names].join('\n') }
}

/**
 * A trajectory as a conversation: the messages before the first action, then each answer with the environment's
 * reply. An action that calls a tool becomes a tool call, and the reply the tool's answer; any other action is text,
 * answered by the user.
 */
export function toInspectConversation({ session_id, steps }: Trajectory, model: string): InspectMessage[] {
  return steps.flatMap((step): InspectMessage[] => {
    const id = `${session_id}/step-${step.step_id}`
    if (step.source !== 'agent') return [{ id, role: step.source, content: step.message }]
    const [acted] = step.tool_calls ?? []
    const shown = step.observation?.results.map(({ content }) => content).join('\n')
    const call = typeof acted?.arguments.action === 'string' ? readActionCall(acted.arguments.action) : null
    const metadata = step.extra ?? {}
    const said = { id, role: 'assistant', content: step.message, model, metadata }
    if (acted === undefined || call === null) {
      const answer = shown === undefined ? [] : [{ id: `${id}-observation`, role: 'user', content: shown }]
      return [said, ...answer]
    }
    const tool = { id: acted.tool_call_id, ...call, type: 'function' }
    return [
      { ...said, tool_calls: [tool] },
      {
        id: `${id}-observation`,
        role: 'tool',
        content: shown ?? '',
        tool_call_id: acted.tool_call_id,
        function: call.function,
      },
    ]
  })
}
