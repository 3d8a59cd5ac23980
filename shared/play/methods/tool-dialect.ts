import { faultOfEnding } from '../../core/contracts/answers.ts'
import type { MessageCall, PromptMessage } from '../../core/contracts/message.ts'
import type { EnvironmentGuide } from '../../environments/environment.ts'
import {
  type ActionTool,
  actionOfCall,
  actTool,
  type CallReading,
} from '../../environments/tools/action-tool.ts'
import { tidyName } from '../../environments/tools/called-tools.ts'
import { findInlineCalls, withoutCalls } from '../answers/inline-call.ts'
import { isArguments, type NamedCall, readTextCalls } from '../answers/read-text-calls.ts'
import { coverReasoning } from '../answers/reasoning.ts'
import { writeAnswer } from '../answers/write-calls.ts'
import type { ChatChoice, OfferedTool } from '../models/chat-model.ts'
import type { Proposal } from '../search/search-scope.ts'
import { laterCall } from '../search/several-calls.ts'
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

const openCall = (name: string) =>
  `The call of ${name} was cut off before its arguments. Nothing was done. Write a shorter answer.`

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

export type AnsweredChoice = Pick<ChatChoice, 'content' | 'tool_calls' | 'thinking'> &
  Partial<Pick<ChatChoice, 'finish_reason'>>

/**
 * Puts the thoughts of earlier answers back into their turns, as a provider wants them.
 * @param path the first node of each turn, which begins with its answer
 * @param keeps all of them, those of the last turn, or none. What a provider attaches to calls always stays.
 */
export function withThoughts(
  turns: readonly (readonly PromptMessage[])[],
  path: readonly (Pick<SearchNode, 'thinking'> | undefined)[],
  keeps: 'keep' | 'last_turn' | 'drop',
): PromptMessage[] {
  return turns.flatMap((turn, place) => {
    const { thinking } = path[place] ?? {}
    const isLast = place === turns.length - 1
    const isKept =
      keeps === 'keep' || (keeps === 'last_turn' && isLast) || thinking?.field === 'extra_content'
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
  const isCut = faultOfEnding(choice.finish_reason) === 'cut'
  const [first, ...more] = calls.map((call, place): Proposal => {
    const isOpen = isCut && place === calls.length - 1 && `${call.arguments}`.trim() === ''
    const read = isOpen ? { feedback: openCall(call.name) } : readCall(call, tools)
    return {
      message: place === 0 ? message : writeAnswer('', [toMessageCall(call)]),
      effect: place === 0 ? effect : laterCall(effect, place),
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

/** A step of the path as its node shows it. */
export interface ShownStep {
  node: Pick<SearchNode, 'index' | 'message'>
  observed: Pick<PromptMessage, 'content' | 'pictures'>
}

/**
 * A turn of the path as the prompt shows it: an answer with its calls, and their observations as the answers to them.
 * Calls are numbered by their nodes, so that no two of a prompt share an id.
 * @param steps those of one answer
 */
export function showCallTurn(steps: readonly ShownStep[]): PromptMessage[] {
  const asked: MessageCall[] = []
  const results: PromptMessage[] = []
  const words: string[] = []
  const feedback: PromptMessage[] = []
  for (const [place, { node, observed }] of steps.entries()) {
    const text = node.message ?? ''
    const shown = coverReasoning(text)
    const { calls, ranges } = findInlineCalls(shown)
    // A message has the call that was made below the words, which may quote others.
    const call = calls.at(-1)
    if (call === undefined || place === 0)
      words.push(call === undefined ? text : withoutCalls(shown, ranges).trim())
    if (call === undefined) {
      feedback.push({ role: 'user', ...observed })
      continue
    }
    const id = `call${String(node.index).padStart(5, '0')}`
    const name = tidyName(call.name ?? '')
    asked.push({ id, type: 'function', function: { name, arguments: JSON.stringify(call.arguments) } })
    results.push({ role: 'tool', tool_call_id: id, ...observed })
  }
  const calls = asked.length > 0 && { tool_calls: asked }
  return [{ role: 'assistant', content: words.join('\n'), ...calls }, ...results, ...feedback]
}
