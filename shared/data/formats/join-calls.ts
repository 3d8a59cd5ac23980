import { readAnswerAction } from './answer-action.ts'

/**
 * Joins an answer with its calls: the text, then each call after `Action:`, unless the text already ends in it.
 *
 * @returns the action too: the calls, one a line
 */
export function joinCalls(text: string, calls: readonly string[]): { content: string; action: string } {
  const missing = calls.filter((call) => !names(text, call)).map((call) => `Action: ${call}`)
  const said = text.trim() === '' ? [] : [text]
  return { content: [...said, ...missing].join('\n'), action: calls.join('\n') }
}

function names(text: string, call: string): boolean {
  if (text.trim() === '') return false
  if (readAnswerAction(text) === call.trim()) return true
  for (let at = text.indexOf(call); at !== -1; at = text.indexOf(call, at + 1)) {
    const before = text.slice(text.lastIndexOf('\n', at - 1) + 1, at).trim()
    const after = text.slice(at + call.length).split('\n', 1)[0] ?? ''
    if ((before === '' || before.endsWith(':')) && after.trim() === '') return true
  }
  return false
}
