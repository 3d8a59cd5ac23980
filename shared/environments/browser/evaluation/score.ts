import type { VerdictQuestion } from '../../../core/contracts/model-question.ts'

/**
 * A score of 0 or 1. A score of 1 holds only if each group of questions to a model has a yes. A score of 0 has no
 * questions.
 */
export interface Score {
  readonly score: 0 | 1
  readonly questions: readonly (readonly VerdictQuestion[])[]
}

export const fullScore: Score = { score: 1, questions: [] }
export const noScore: Score = { score: 0, questions: [] }

export function decided(holds: boolean): Score {
  return holds ? fullScore : noScore
}

export function leftToModel(...questions: readonly VerdictQuestion[]): Score {
  return questions.length === 0 ? noScore : { score: 1, questions: [questions] }
}

export function allOf(scores: readonly Score[]): Score {
  if (scores.some(({ score }) => score === 0)) return noScore
  return { score: 1, questions: scores.flatMap(({ questions }) => questions) }
}

export function readVerdict(
  { accept, refuse, otherwise }: Pick<VerdictQuestion, 'accept' | 'refuse' | 'otherwise'>,
  answer: string,
): 'yes' | 'no' | 'unreadable' {
  const said = answer.toLowerCase()
  if (refuse.some((words) => said.includes(words.toLowerCase()))) return 'no'
  if (accept.some((words) => said.includes(words.toLowerCase()))) return 'yes'
  return otherwise
}
