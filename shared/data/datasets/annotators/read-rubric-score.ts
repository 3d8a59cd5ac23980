import { clipText } from '../../../core/contracts/well-formed.ts'
import { openFence } from '../../../play/answers/fences.ts'
import { readLabelledLines } from '../../../play/answers/read-labelled.ts'
import { withoutReasoning } from '../../../play/answers/reasoning.ts'

const scored = /^(\d+(?:\.\d+)?)\s*(?:(?:\/|out of)\s*(\d+))?\.?$/i

const longestNote = 4000

/**
 * Reads the score in a judge's answer, as a value from 0 to 1: of the last line `Score: 7`, `Score: 7.5` or `Score:
 * 7/10`. The words before it are its reasons.
 *
 * @returns null if there is none, or it is no number from 0 to 10
 */
export function readRubricScore(answer: string): { value: number; note: string } | null {
  const said = withoutReasoning(answer)
  const last = readLabelledLines(said, 'score', { equals: true })
    .map(({ start, value }) => ({ start, found: scored.exec(value.replace(/[*_`]/g, '').trim()) }))
    .findLast(({ found }) => found !== null)
  if (last === undefined) return null
  const [, given, of = '10'] = last.found ?? []
  const score = Number(given)
  if (of !== '10' || score > 10) return null
  const [reasons] = readLabelledLines(said, 'reasons?')
  const isFirst = reasons !== undefined && said.slice(0, reasons.start).trim() === ''
  const before = withoutOpenFence(said.slice(isFirst ? reasons.end : 0, last.start).trim())
  return { value: score / 10, note: clipText(before, longestNote) }
}

function withoutOpenFence(text: string): string {
  const start = text.lastIndexOf('\n') + 1
  return openFence(text.slice(start)) === null ? text : text.slice(0, start).trim()
}
