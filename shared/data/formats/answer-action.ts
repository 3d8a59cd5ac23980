import { readBlocks } from '../../play/answers/fences.ts'
import { type AnswerCall, findInlineCalls, textOfActCall } from '../../play/answers/inline-call.ts'
import { namesAction, readMarks } from '../../play/answers/read-action.ts'
import { withoutReasoning } from '../../play/answers/reasoning.ts'
import { parseAnswer } from '../../play/methods/parse-answer.ts'

/**
 * Reads the action of an answer: the line after its last `Action:`, or the blocks between triple back-ticks that
 * follow it. Without a label, the action is its inline calls, one a line, or the whole answer. Reasoning is never
 * part of it.
 */
export function readAnswerAction(answer: string): string {
  const calls = inlineCallsOf(answer)
  if (calls.length > 0) return calls.map(writeCall).join('\n')
  return namesAction(answer)
    ? lineOf(parseAnswer(answer, 'agent-r', '', true).action)
    : withoutReasoning(answer).trim()
}

export function takesAction(answer: string): boolean {
  return namesAction(answer) || inlineCallsOf(answer).length > 0
}

function inlineCallsOf(answer: string): AnswerCall[] {
  const { actions, said } = readMarks(answer)
  return actions.length > 0 ? [] : findInlineCalls(said).calls
}

function writeCall(call: AnswerCall): string {
  return textOfActCall(call) ?? `${call.name ?? ''} ${JSON.stringify(call.arguments)}`.trim()
}

/** The line in a block without code, which is only a fence around an action; any other action unchanged. */
function lineOf(action: string): string {
  const [block, ...others] = action.startsWith('```') ? readBlocks(action) : []
  if (block === undefined || others.length > 0 || !/^(?:te?xt|plain(?:text)?)?$/i.test(block.mark))
    return action
  const line = block.text.trim()
  return /\n|\w\(|=|^[A-Z]+$/.test(line) || line === '' ? action : line
}
