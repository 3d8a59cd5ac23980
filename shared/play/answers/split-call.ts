import { findInlineCalls } from './inline-call.ts'
import { coverReasoning } from './reasoning.ts'

export interface SplitAnswer {
  words: string
  name: string
  arguments: Readonly<Record<string, unknown>>
}

export function splitCall(answer: string): SplitAnswer | null {
  const shown = coverReasoning(answer)
  const { covered, calls } = findInlineCalls(shown)
  const [call] = calls
  if (call === undefined || call.name === null) return null
  let words = ''
  for (let at = 0; at < answer.length; at += 1) if (covered[at] === shown[at]) words += answer[at]
  return { words: words.trim(), name: call.name, arguments: call.arguments }
}
