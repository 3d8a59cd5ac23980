import type { Status } from './status-scales.ts'

/**
 * The grade that a judge gave: the letter of the last `Status code: X` in its answer, whatever the case and the markdown
 * around it. Null where there is none, where it is none of A to E, or where it is not plain which one is meant: an
 * answer that cannot be read is not a value.
 *
 * @see Yu et al. 2024, ExACT (arXiv 2410.02052), its value functions' `STATUS CODE`; there such an answer counts as 0
 * @example
 * readStatus('The item is in the cart.\n**Status code:** B.') // 'B'
 * readStatus('Status code: A or B') // null
 */
export function readStatus(answer: string): Status | null {
  const parts = answer.split(label)
  const [line = ''] = parts.length > 1 ? (parts.at(-1) as string).trimStart().split('\n', 1) : []
  const letter = grade.exec(line.trim())?.[1]
  return letter === undefined ? null : (letter.toUpperCase() as Status)
}

const label = /status[\s_]*code[\s*_`"']*[:：=]/i

/** A letter in any decoration, and after it nothing, or words that do not read on from it or name another grade. */
const grade = /^[\s*_`"'([{<]*([A-Ea-e])[\s*_`"')\]}>]*(?:$|[.;:(]|,\s(?![A-E]\b)|[-–—]\s(?![A-E]\b))/
