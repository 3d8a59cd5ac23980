import {
  type AnswerRules,
  alternativesOf,
  cleanAnswer,
  includesReference,
  matchesExactly,
  readInteger,
  satisfiesAll,
} from './compare-answer.ts'
import { askWhetherEqual, askWhetherSameReason } from './judge-questions.ts'
import { allOf, decided, fullScore, leftToModel, noScore, type Score } from './score.ts'
import type { ReferenceAnswers, RequiredContents } from './task-evaluation.ts'

export interface AnsweredTask {
  benchmark: AnswerRules
  intent: string
  note: string
}

export function matchAnswer(references: ReferenceAnswers, answer: string, task: AnsweredTask): Score {
  const { benchmark, intent, note } = task
  const { fuzzy_match: fuzzy, one_of: oneOf, ...required } = references
  const given = cleanAnswer(answer, benchmark)
  const named = oneOf === undefined || oneOf.some((each) => given.includes(cleanAnswer(each, benchmark)))
  const isOnly = required.must_include?.length === 1
  const compared = allOf([matchRequired(required, given, benchmark, isOnly), decided(named)])
  if (fuzzy === undefined) return compared
  if (fuzzy === 'N/A') {
    // A bare "N/A" passes. For any other answer only its reason counts, regardless of the other comparisons.
    if (matchesExactly(fuzzy, given, benchmark)) return compared
    return leftToModel(askWhetherSameReason(note, given, intent))
  }
  return allOf([compared, ...fuzzy.map((each) => leftToModel(askWhetherEqual(each, given, intent)))])
}

export function matchContents(required: RequiredContents, found: string, benchmark: AnswerRules): Score {
  const { fuzzy_match: fuzzy = [], ...others } = required
  const judged = fuzzy.map((reference) =>
    leftToModel(...alternativesOf(reference).map((each) => askWhetherEqual(each, found, 'NOT USED'))),
  )
  return allOf([matchRequired(others, found, benchmark), ...judged])
}

// ExACT compares numbers by their value in `must_include` alone.
const excludedBy = {
  exact: 'visualwebarena',
  visualwebarena: 'visualwebarena',
  webarena: 'webarena',
} as const

function matchRequired(
  required: Omit<RequiredContents, 'fuzzy_match'>,
  text: string,
  benchmark: AnswerRules,
  isOnly = false,
): Score {
  const { exact_match, must_include = [], must_exclude = [], required_values } = required
  const includes = (reference: string) => includesReference(reference, text, benchmark, isOnly)
  return allOf([
    exact_match === undefined ? fullScore : decided(matchesExactly(exact_match, text, benchmark)),
    decided(must_include.every((each) => alternativesOf(each).some(includes))),
    decided(!must_exclude.some((each) => includesReference(each, text, excludedBy[benchmark]))),
    required_values === undefined ? fullScore : matchValues(required_values, text),
  ])
}

function matchValues(inequalities: readonly string[], text: string): Score {
  const value = readInteger(text)
  return value === undefined ? noScore : decided(satisfiesAll(value, inequalities))
}
