import type { Random } from '../../../core/random/random.ts'
import { choose } from '../../../core/random/shuffled.ts'
import type { Outlook } from '../../../environments/simulated/expert.ts'
import { fenced, withBlunder } from './write-code.ts'

/**
 * Corrects a function after a failed call, or writes a usage note if the function itself is right. With probability 1
 * - skill the correction is wrong.
 *
 * @param shown - the prompt, with the failed code
 */
export function writeRevision(
  shown: string,
  subject: string,
  outlook: Outlook | null,
  skill: number,
  random: Random,
): string {
  const right = outlook?.functions.find(({ name }) => name === subject)
  const reason = choose(
    ['The environment refused one of its steps.', 'What one of its steps needs was not given when it came.'],
    random,
  )
  if (right === undefined || shown.includes(right.code)) {
    return `Reason: ${reason}\nDecision: note ${subject}\nNote: Call ${subject} only when everything is as its comment asks for, with names exactly as they are shown.`
  }
  const code = random() < skill ? right.code : withBlunder(right, random)
  return `Reason: ${reason}\nDecision: update ${subject}\n${fenced(code)}`
}
