import type { VerdictQuestion } from '../../../contracts/model-question.ts'

/**
 * How an evaluation came out: a score of 0 or 1, which holds where each group of questions to a model has a yes. A score of 0
 * leaves nothing to ask.
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

/** Passed where a model says yes to one of the questions. */
export function leftToModel(...questions: readonly VerdictQuestion[]): Score {
  return questions.length === 0 ? noScore : { score: 1, questions: [questions] }
}

/** Passed where all are: a product of scores. */
export function allOf(scores: readonly Score[]): Score {
  if (scores.some(({ score }) => score === 0)) return noScore
  return { score: 1, questions: scores.flatMap(({ questions }) => questions) }
}

/** What an answer to a question says; `unreadable` where neither yes nor no can be read from it. */
export function readVerdict(
  { accept, refuse, otherwise }: Pick<VerdictQuestion, 'accept' | 'refuse' | 'otherwise'>,
  answer: string,
): 'yes' | 'no' | 'unreadable' {
  const said = answer.toLowerCase()
  if (refuse.some((words) => said.includes(words.toLowerCase()))) return 'no'
  if (accept.some((words) => said.includes(words.toLowerCase()))) return 'yes'
  return otherwise
}
