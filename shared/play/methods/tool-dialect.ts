import type { MessageCall, PromptMessage } from '../../core/contracts/message.ts'
import type { EnvironmentGuide } from '../../environments/environment.ts'
import {
  type ActionTool,
  actionOfCall,
  actTool,
  type CallReading,
} from '../../environments/tools/action-tool.ts'
import { findInlineCalls } from '../answers/inline-call.ts'
import { isArguments, type NamedCall, readTextCalls } from '../answers/read-text-calls.ts'
import { coverReasoning } from '../answers/reasoning.ts'
import { writeAnswer } from '../answers/write-calls.ts'
import type { ChatChoice, OfferedTool } from '../models/chat-model.ts'
import type { Proposal } from '../search/search-scope.ts'
import type { SearchNode } from '../search/tree.ts'

export interface ToolDialect {
  tools: readonly ActionTool[]
  /**
   * True if an answer may have one call only: the method goes back to earlier states, or is an added one, which steps by
   * itself.
   */
  branches: boolean
}

export const uncalledAnswer = 'This answer calls no tool, so nothing was done. Call one of the tools.'

const unreadableCall =
  'The call in this answer cannot be read: it is no JSON object with a name and arguments. Nothing was done.'

const manyCalls = (count: number) =>
  `One call at a time: this answer has ${count}, and none of them was made. Call one tool.`

export function toolsOf({ tools }: EnvironmentGuide): readonly ActionTool[] {
  return tools ?? [actTool]
}

export function offerTools(tools: readonly ActionTool[]): OfferedTool[] {
  return tools.map(({ name, description, schema, action }) => ({
    name,
    description: `${description} In the rules: ${action}`,
    schema,
  }))
}

export type AnsweredChoice = Pick<ChatChoice, 'content' | 'tool_calls' | 'thinking'>

/**
 * Puts the thoughts of earlier answers back into their turns, as a provider wants them.
 * @param path the nodes of the turns, of which each begins with its answer
 * @param keeps all of them, those of the last turn, or none
 */
export function withThoughts(
  turns: readonly (readonly PromptMessage[])[],
  path: readonly Pick<SearchNode, 'thinking'>[],
  keeps: 'keep' | 'last_turn' | 'drop',
): PromptMessage[] {
  return turns.flatMap((turn, place) => {
    const { thinking } = path[place] ?? {}
    const isKept = keeps === 'keep' || (keeps === 'last_turn' && place === turns.length - 1)
    const [answer, ...rest] = turn
    if (thinking === undefined || !isKept || answer === undefined) return turn
    return [{ ...answer, thinking }, ...rest]
  })
}

/**
 * The proposals of an answer, one for each of its calls in their order: those in the answer's own field, or else those
 * in its text. An answer without a call, and a call that fits no tool, are turns that the environment does not see.
 */
export function readCallAnswer(
  choice: AnsweredChoice,
  { tools, branches }: ToolDialect,
  effect: string,
): Proposal {
  const thinking = choice.thinking && { thinking: choice.thinking }
  const { calls, words } = callsOf(choice)
  const message =
    calls.length === 0 ? choice.content : writeAnswer(words, calls.slice(0, 1).map(toMessageCall))
  if (calls.length === 0) {
    return { message, action: '', effect, complaint: uncalledAnswer, unnamed: true, ...thinking }
  }
  if (calls[0]?.name === '') {
    return { message: choice.content, action: '', effect, complaint: unreadableCall, ...thinking }
  }
  if (branches && calls.length > 1) {
    return { message, action: '', effect, complaint: manyCalls(calls.length), ...thinking }
  }
  const [first, ...more] = calls.map((call, place): Proposal => {
    const read = readCall(call, tools)
    return {
      message: place === 0 ? message : writeAnswer('', [toMessageCall(call)]),
      effect: place === 0 ? effect : `${effect}/call/${place}`,
      ...('action' in read ? read : { action: '', complaint: read.feedback }),
      ...(place === 0 && thinking),
    }
  })
  return { ...(first as Proposal), ...(more.length > 0 && { more }) }
}

function readCall({ name, arguments: given }: NamedCall, tools: readonly ActionTool[]): CallReading {
  const value = typeof given === 'string' ? parse(given) : given
  if (isArguments(value)) return actionOfCall({ name, arguments: value }, tools)
  return { feedback: `The arguments of ${name} are no JSON object.` }
}

function parse(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function callsOf({ content, tool_calls }: AnsweredChoice): { calls: NamedCall[]; words: string } {
  if (tool_calls !== undefined) {
    return {
      calls: tool_calls.map(({ function: call }) => ({ name: call.name, arguments: call.arguments })),
      words: content,
    }
  }
  const { calls, words } = readTextCalls(content)
  return { calls, words }
}

function toMessageCall({ name, arguments: given }: NamedCall): MessageCall {
  const text = typeof given === 'string' ? given : JSON.stringify(given)
  return { id: '', type: 'function', function: { name, arguments: text } }
}

/**
 * A turn of the path as the prompt shows it: the answer with its call, and the observation as the answer to the call.
 * Calls are numbered by their nodes, so that no two of a prompt share an id.
 */
export function showCallTurn(
  { index, message }: SearchNode,
  answer: Pick<PromptMessage, 'content' | 'pictures'>,
): PromptMessage[] {
  const text = message ?? ''
  const { covered, calls } = findInlineCalls(coverReasoning(text))
  const [call] = calls
  if (call === undefined) {
    return [
      { role: 'assistant', content: text },
      { role: 'user', ...answer },
    ]
  }
  const id = `call${String(index).padStart(5, '0')}`
  const asked = { name: call.name ?? '', arguments: JSON.stringify(call.arguments) }
  return [
    {
      role: 'assistant',
      content: covered.trim(),
      tool_calls: [{ id, type: 'function', function: asked }],
    },
    { role: 'tool', tool_call_id: id, ...answer },
  ]
}
