import { parseAnswer } from '../methods/parse-answer.ts'

const marker = /Action( 1)?:/

/** Whether an answer names an action, rather than only agreeing to play. */
export function namesAction(answer: string): boolean {
  return marker.test(answer)
}

/**
 * What an answer does: what follows its last `Action:` on that line, or the blocks between triple back-ticks that follow it; without one,
 * the whole answer.
 */
export function readAnswerAction(answer: string): string {
  return namesAction(answer) ? parseAnswer(answer, 'agent-r', '', true).action : answer.trim()
}
