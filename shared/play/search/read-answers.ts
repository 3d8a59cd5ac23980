import { clipText } from '../../core/contracts/well-formed.ts'
import { readLabelled } from '../answers/read-labelled.ts'
import { withoutReasoning } from '../answers/reasoning.ts'
import type { Question, SearchScope } from './search-scope.ts'

export const mostTries = 3

export class UnreadableAnswersError extends Error {
  /** Stored in results, so the name never changes. */
  override readonly name = 'UnreadableAnswers'
}

export async function orNone<Made>(making: Promise<Made | null>): Promise<Made | null> {
  try {
    return await making
  } catch (error) {
    if (error instanceof UnreadableAnswersError) return null
    throw error
  }
}

/**
 * Asks for `n` parsable answers: counts unparsable ones and asks for them again. An unparsable answer never becomes a
 * value.
 *
 * @param read - gets each answer without its reasoning
 * @returns at least one answer, at most `n`
 * @throws UnreadableAnswersError when three calls return no parsable answer
 */
export async function readAnswers<Answer>(
  scope: Pick<SearchScope, 'ask' | 'noteUnread'>,
  { key, n = 1, ...question }: Question,
  read: (text: string) => Answer | null,
): Promise<Answer[]> {
  const answers: Answer[] = []
  let last = ''
  for (let attempt = 0; attempt < mostTries && answers.length < n; attempt += 1) {
    const effect = attempt === 0 ? key : `${key}/again/${attempt}`
    const texts = await scope.ask({ ...question, key: effect, n: n - answers.length })
    const readable = texts.flatMap((text) => read(withoutReasoning(text)) ?? [])
    if (readable.length < texts.length) scope.noteUnread(effect, texts.length - readable.length)
    answers.push(...readable)
    last = texts.at(-1) ?? ''
  }
  if (answers.length > 0) return answers
  const shown = last.trim() === '' ? 'it was empty' : `it began "${clipText(last.trim(), 120)}"`
  throw new UnreadableAnswersError(
    `The model of the role "${question.role}" was asked ${mostTries} times (${key}) and never answered in the form asked for; of its last answer, ${shown}. Choose another model in roles.${question.role}, or raise its max_tokens.`,
  )
}

export { readLabelled }

export const readOpinion = (answer: string): string | null => readLabelled(answer, 'Opinion')

export const readChecks = (answer: string): string | null => readLabelled(answer, 'Checks')
