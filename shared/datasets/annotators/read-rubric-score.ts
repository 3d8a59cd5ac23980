import { clipText } from '../../contracts/well-formed.ts'

const scoreLine = /^[\s>*_#]*score[\s*_]*[:=][\s*_]*(\d+(?:\.\d+)?)\s*(?:(?:\/|out of)\s*(\d+))?[\s*_.]*$/gim
const reasonsLine = /^[\s>*_#]*reasons?[\s*_]*:[\s*_]*/i

const longestNote = 4000

/**
 * The score in a judge's answer, as a value from 0 to 1: of the last line `Score: 7`, `Score: 7.5` or `Score: 7/10`. The words
 * before it are its reasons.
 *
 * @returns null where there is none, or it is no number from 0 to 10
 */
export function readRubricScore(answer: string): { value: number; note: string } | null {
  const found = [...answer.matchAll(scoreLine)].at(-1)
  if (found === undefined) return null
  const [, given, of = '10'] = found
  const score = Number(given)
  if (of !== '10' || score > 10) return null
  const before = answer.slice(0, found.index).replace(reasonsLine, '').trim()
  return { value: score / 10, note: clipText(before, longestNote) }
}
