import { readBlocks } from '../answers/fences.ts'
import { namesAction } from '../answers/read-action.ts'
import { withoutReasoning } from '../answers/reasoning.ts'
import { parseAnswer } from '../methods/parse-answer.ts'

/**
 * The action of an answer: the line after its last `Action:`, or the blocks between triple back-ticks that follow it. An answer
 * that names none is an action as a whole. Reasoning is never part of it.
 */
export function readAnswerAction(answer: string): string {
  return namesAction(answer)
    ? lineOf(parseAnswer(answer, 'agent-r', '', true).action)
    : withoutReasoning(answer).trim()
}

/** The line in a block that holds no code, which is a fence around an action; any other action as it is. */
function lineOf(action: string): string {
  const [block, ...others] = action.startsWith('```') ? readBlocks(action) : []
  if (block === undefined || others.length > 0 || !/^(?:te?xt|plain(?:text)?)?$/i.test(block.mark))
    return action
  const line = block.text.trim()
  return /\n|\w\(|=|^[A-Z]+$/.test(line) || line === '' ? action : line
}
