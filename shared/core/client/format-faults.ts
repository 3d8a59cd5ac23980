import type { AnswerFault, AnswerTally } from '../contracts/answers.ts'
import { formatCount } from './format-quantity.ts'

export const faultNames: Readonly<Record<AnswerFault, string>> = {
  cut: 'cut at max_tokens',
  empty: 'empty',
  filtered: 'filtered',
  refused: 'refused',
  unparsable: 'not in the form asked for',
}

export function formatFaults(answers: AnswerTally): string {
  return (Object.keys(faultNames) as AnswerFault[])
    .filter((fault) => answers[fault] > 0)
    .map((fault) => `${formatCount(answers[fault])} ${faultNames[fault]}`)
    .join(', ')
}
