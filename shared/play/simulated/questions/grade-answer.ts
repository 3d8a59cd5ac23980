import type { Message } from '../../../core/contracts/message.ts'
import type { Random } from '../../../core/random/random.ts'

const comparing =
  /Reference answer: (.*)\nAnswer to grade: ([\s\S]*?)\n\nConclude with one word or two: correct/
const explaining = /Actual reason: (.*)\nReport: ([\s\S]*?)\n\nConclude with one word: same or different/

/**
 * Grades an answer like a benchmark's judge: right if it contains all words of the reference. The grade is correct
 * with probability (1 + skill) / 2.
 *
 * @returns null for a prompt that requests no grade
 */
export function gradeAnswer(messages: readonly Message[], skill: number, random: Random): string | null {
  const asked = messages.findLast(({ role }) => role === 'user')?.content ?? ''
  const compared = comparing.exec(asked)
  const [, reference = '', answer = ''] = compared ?? explaining.exec(asked) ?? []
  if (reference === '') return null
  const known = new Set(wordsOf(answer))
  const wanted = wordsOf(reference)
  const isRight = wanted.length > 0 && wanted.every((word) => known.has(word))
  const isSaid = random() < (1 + skill) / 2 ? isRight : !isRight
  if (compared !== null) return isSaid ? 'correct' : 'incorrect'
  return isSaid ? 'same' : 'different'
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}
