import { trimBlanks } from '../../answers/dress.ts'
import { readLabelledLines } from '../../answers/read-labelled.ts'
import { withoutReasoning } from '../../answers/reasoning.ts'

/** A judge's grade of a state: from A, finished, through B, C and D to E, no progress. */
export type Status = 'A' | 'B' | 'C' | 'D' | 'E'

/**
 * The value of each grade: `rubric` for a single judge with or without a rubric, `debate` for a judge of two
 * opinions, and `desktop`, the scale that ExACT uses on desktops.
 *
 * @see Yu et al. 2024, ExACT (arXiv 2410.02052), its code: CoTwRubricValueFunction, ReinforcedDebateValueFunction,
 * and the value functions for desktops
 */
export const statusScales = {
  rubric: { A: 1, B: 0.9, C: 0.5, D: 0.2, E: 0 },
  debate: { A: 1, B: 0.7, C: 0.5, D: -0.2, E: -1 },
  desktop: { A: 1, B: 0.5, C: 0.2, D: -0.2, E: -1 },
} as const satisfies Record<string, Record<Status, number>>

export type StatusScale = keyof typeof statusScales

/** The outcome of a failed task for reflections of the policy, as ExACT's code has it. */
export const failureOutcomes = { rubric: 0, debate: 0, desktop: -1 } as const satisfies Record<
  StatusScale,
  number
>

export const usualVerdicts = {
  judge: { verdicts: 20, scale: 'rubric' },
  debate: { verdicts: 3, scale: 'debate' },
  'single-debate': { verdicts: 20, scale: 'desktop' },
} as const satisfies Record<string, { verdicts: number; scale: StatusScale }>

/**
 * Reads a judge's grade: the letter of the last `Status code: X` in its answer, whatever the case and the markdown
 * around it. Null if there is none, if it is none of A to E, or if it is ambiguous: an unreadable answer has no
 * value. Grades in reasoning do not count.
 *
 * @see Yu et al. 2024, ExACT (arXiv 2410.02052), its value functions' `STATUS CODE`; there such an answer counts as 0
 * @example
 * readStatus('The item is in the cart.\n**Status code:** B.') // 'B'
 * readStatus('Status code: A or B') // null
 */
export function readStatus(answer: string): Status | null {
  const said = withoutReasoning(answer)
  const parts = said.split(label)
  const below = parts.length > 1 ? trimBlanks(parts.at(-1) as string) : null
  const line = below?.split('\n', 1)[0] ?? readLabelledLines(said, 'status[\\s_]*code').at(-1)?.value ?? ''
  const letter = grade.exec(trimBlanks(line))?.[1]
  return letter === undefined ? null : (letter.toUpperCase() as Status)
}

const label = /status[\s_]*code[\s*_`"']*[:：=]/i

const grade = /^[\s*_`"'([{<]*([A-Ea-e])[\s*_`"')\]}>]*(?:$|[.;:(]|,\s(?![A-E]\b)|[-–—]\s(?![A-E]\b))/

/**
 * The mean value of several grades of one state. Only readable grades count; ExACT takes the others for the lowest,
 * or for −1 if none is readable.
 *
 * @param statuses - at least one
 * @see Yu et al. 2024, ExACT (arXiv 2410.02052), multi-agent debate: the mean over the judge's samples in both orders
 * @example
 * meanStatus(['A', 'B'], 'debate') // 0.85
 */
export function meanStatus(statuses: readonly Status[], scale: StatusScale): number {
  if (statuses.length === 0) throw new RangeError('Without a grade there is no value.')
  return statuses.reduce((sum, status) => sum + statusScales[scale][status], 0) / statuses.length
}
